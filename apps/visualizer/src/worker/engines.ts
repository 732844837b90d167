/**
 * Returns the name of the library that creates the page's signatures: the WebAssembly kernel, or noble-curves if the
 * build requests it or the browser has no WebAssembly.
 */
export function servingKernel(): 'wasm' | 'noble' {
  return import.meta.env.VITE_TUTTI_BLS === 'noble' || typeof WebAssembly === 'undefined' ? 'noble' : 'wasm';
}

/** Replaces the text-encoded kernel in the pages (`vite.config.ts`), which load the kernel from a file. */
export async function inlined(): Promise<never> {
  throw new Error('the text-encoded kernel is not available in pages, which load the kernel from a file');
}

/** Replaces native blst in the pages. */
export async function loadNative(): Promise<never> {
  throw new Error('pages cannot load native blst');
}
