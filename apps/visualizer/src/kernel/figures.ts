/** The kernels that a browser may have, in the order of the columns. */
export const kernels = ['scalar', 'simd', 'wide', 'noble'] as const;
export type Kernel = (typeof kernels)[number];

/** What is measured, by the name that a link has it under. */
export const operations = {
  sign: 'sign',
  verify: 'verify, from bytes',
  'min-sig-sign': 'sign in G1 (min-sig)',
  'min-sig-verify': 'verify in G1 (min-sig), from bytes',
  'decode-key': 'read a key',
  'decode-signature': 'read a signature',
  round: 'verify 64 of 128 signers in a round',
  'batch-32': 'verify 32 signatures on one message at once',
} as const;
export type Operation = keyof typeof operations;

/** Milliseconds for one call; a kernel that the browser does not have is missing. */
export type Figures = Partial<Record<Kernel, Partial<Record<Operation, number>>>>;

/** One browser's figures. */
export interface MeasuredEngine {
  readonly engine: string;
  readonly figures: Figures;
}

/** Longer than any browser's name. */
const mostEngine = 120;

const names = Object.keys(operations) as Operation[];

/** As a link has them after `#`: `engine`, and a list of milliseconds for each kernel, in the order of the operations. */
export function toHash({ engine, figures }: MeasuredEngine): string {
  const fields = new URLSearchParams({ engine });
  for (const kernel of kernels) {
    const own = figures[kernel];
    if (own !== undefined) fields.set(kernel, names.map((name) => own[name]?.toFixed(4) ?? '').join(','));
  }
  return String(fields);
}

/** What a link says; undefined where it has no figures. What is no number of milliseconds is left out. */
export function ofHash(hash: string): MeasuredEngine | undefined {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const figures: Figures = {};
  for (const kernel of kernels) {
    const list = fields.get(kernel)?.split(',');
    if (list === undefined) continue;
    const own: Partial<Record<Operation, number>> = {};
    for (const [i, name] of names.entries()) {
      const text = list[i] ?? '';
      const value = Number(text);
      if (text !== '' && Number.isFinite(value) && value > 0 && value < 1e6) own[name] = value;
    }
    figures[kernel] = own;
  }
  if (Object.keys(figures).length === 0) return undefined;
  return { engine: (fields.get('engine') ?? 'a browser').slice(0, mostEngine), figures };
}

/** A line an operation, milliseconds a kernel. */
export function toCsv({ engine, figures }: MeasuredEngine): string {
  const rows = names.map((name) => [name, ...kernels.map((kernel) => figures[kernel]?.[name]?.toFixed(4) ?? '')]);
  return [
    `# ${engine}`,
    ['operation', ...kernels.map((kernel) => `${kernel}_ms`)].join(','),
    ...rows.map((row) => row.join(',')),
  ]
    .join('\n')
    .concat('\n');
}

/** The browser and its version, as it calls itself, and what of WebAssembly it has. */
export function engineOf(userAgent: string, features: readonly string[]): string {
  const known =
    /(Firefox|Edg|OPR|Chrome)\/[\d.]+/.exec(userAgent) ?? /Version\/[\d.]+ (?:Mobile\/\w+ )?Safari/.exec(userAgent);
  const system = /\(([^;)]+)/.exec(userAgent)?.[1] ?? 'unknown system';
  return `${known?.[0].replace('/', ' ') ?? 'unknown browser'} on ${system}; ${features.length === 0 ? 'no SIMD' : features.join(', ')}`;
}
