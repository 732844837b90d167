/** tutti_bls_wide_bg.wasm, gzipped, in base64. */
export declare const kernel: string;
