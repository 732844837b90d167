export function bundledSuite(): Promise<string>;
export function inNode(
  node: string,
  suiteFile: string,
  kernel: 'without SIMD' | 'with SIMD',
): { engine: string; kernel: string; passed?: number; failed?: string[] };
