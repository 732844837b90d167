/** Written by `npm run bench -- growth`: one run a size, means over the nodes. The largest takes too long to be run for a report. */
export const growthRuns = [
  {
    nodes: 1024,
    timeMs: 305.5756,
    messagesSent: 152.5771,
    checked: 11.7383,
    digest: 'e60da7929187cbd7',
  },
  {
    nodes: 4096,
    timeMs: 333.3712,
    messagesSent: 191.6812,
    checked: 13.7466,
    digest: '002ad9a3926259b2',
  },
  {
    nodes: 16384,
    timeMs: 364.5673,
    messagesSent: 224.7897,
    checked: 15.7364,
    digest: 'e79f4147b857cc71',
  },
  {
    nodes: 65536,
    timeMs: 389.0165,
    messagesSent: 262.0523,
    checked: 17.7476,
    digest: 'e7f941cc2c9cc22d',
  },
  {
    nodes: 262144,
    timeMs: 412.4709,
    messagesSent: 293.0837,
    checked: 19.7439,
    digest: '780ba5a32877324c',
  },
  {
    nodes: 1048576,
    timeMs: 436.5749,
    messagesSent: 330.618,
    checked: 21.7426,
    digest: 'f42b829e1347efb7',
  },
] as const;
