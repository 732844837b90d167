/** `@tutti/testbed/network`: hosts as network namespaces behind one router, for other programs than `tutti testbed`. */
export { createLatency, type Latency } from './latency.ts';
export { TestbedNetwork } from './testbedNetwork.ts';
export { requireTools } from './tools.ts';
