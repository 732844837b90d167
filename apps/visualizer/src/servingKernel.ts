/**
 * Returns the name of the kernel for the page's signatures: the built kernel, or noble-curves if the browser has no
 * WebAssembly.
 */
export function servingKernel(): 'wasm' | 'noble' {
  return import.meta.env.VITE_TUTTI_BLS === 'noble' || typeof WebAssembly === 'undefined' ? 'noble' : 'wasm';
}
