export function bundledSuite(): Promise<string>;
export function inNode(
  node: string,
  suiteFile: string,
  kernel: 'scalar' | 'simd' | 'wide',
): { engine: string; kernel: string; passed?: number; failed?: string[] };
