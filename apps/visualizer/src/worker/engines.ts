/**
 * Returns the name of the kernel that creates the page's signatures: the built kernel, or noble-curves if the browser
 * has no WebAssembly.
 */
export function servingKernel(): 'wasm' | 'noble' {
  return import.meta.env.VITE_TUTTI_BLS === 'noble' || typeof WebAssembly === 'undefined' ? 'noble' : 'wasm';
}

/** Replaces the text-encoded kernels and native blst in the pages, which use neither. */
export async function inlined(): Promise<never> {
  throw new Error('pages load the kernel from a file');
}

export async function loadNative(): Promise<never> {
  throw new Error('pages cannot load native blst');
}
