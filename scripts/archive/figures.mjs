/** Figures that an archive has: each command writes its picture and its data into the folder where it runs. */
export const archived = [
  figure('sensitivity', ['horn', 'sensitivity'], 'svg', 'parquet'),
  figure(
    'shorter-slots',
    [
      ...[
        'horn',
        'map',
        '--preset',
        'electra',
        '--vary',
        'proposal=none,gloas,late,gloas+late,gloas+cap,gloas+cap+bundles',
      ],
      ...['--slots', '1..12', '--in-row', '1'],
    ],
    'svg',
    'parquet',
  ),
  figure('proposals', ['horn', 'proposals'], 'parquet'),
  figure('griefing', ['horn', 'griefing'], 'parquet'),
  figure('assumptions', ['horn', 'assumptions'], 'parquet'),
  // Of a size that a test rebuilds.
  figure('small', ['horn', 'sensitivity', '--nodes', '4096', '--machine', 'epyc-wasm'], 'svg', 'parquet'),
];

function figure(name, command, ...endings) {
  const files = endings.map((ending) => `${name}.${ending}`);
  const flags = files.flatMap((file) => [file.endsWith('.svg') ? '--svg' : '--out', file]);
  return { name, command: [...command, ...flags], files };
}
