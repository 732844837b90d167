/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Which curve makes the signatures: `wasm`, the default, or `noble`. */
  readonly VITE_TUTTI_BLS?: string;
}
