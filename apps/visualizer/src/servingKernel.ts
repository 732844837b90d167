/** The kernel that makes the page's signatures: the built one, or noble-curves if a browser has no WebAssembly. */
export function servingKernel(): 'wasm' | 'noble' {
  return import.meta.env.VITE_TUTTI_BLS === 'noble' || typeof WebAssembly === 'undefined' ? 'noble' : 'wasm';
}
