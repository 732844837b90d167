/** tutti_bls_simd_bg.wasm, gzipped, in base64. */
export declare const kernel: string;
