import type { Arithmetic } from './arithmetic.ts';

const texts: Readonly<Record<Arithmetic, () => Promise<{ readonly kernel: string }>>> = {
  scalar: () => import('../kernel/inline/scalar.js'),
  simd: () => import('../kernel/inline/simd.js'),
  wide: () => import('../kernel/inline/wide.js'),
  upstream: () => import('../kernel/inline/upstream.js'),
};

/** Returns the kernel's bytes from the text in this package's code, without a network request. */
export async function inlined(arithmetic: Arithmetic): Promise<ArrayBuffer> {
  const { kernel } = await texts[arithmetic]();
  const packed = Uint8Array.from(atob(kernel), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return await new Response(stream).arrayBuffer();
}
