/** The curve that the page's signatures are made with: as it was built, and noble-curves where a browser has no WebAssembly. */
export function servingKernel(): 'wasm' | 'noble' {
  return import.meta.env.VITE_TUTTI_BLS === 'noble' || typeof WebAssembly === 'undefined' ? 'noble' : 'wasm';
}
