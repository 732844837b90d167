/**
 * The WebAssembly kernel for other schemes on BLS12-381. Call {@link startKernel} before any function of
 * {@link kernel}.
 *
 * @example
 * ```js
 * import { decoded, kernel, startKernel } from '@tutti/wasm-bls/kernel/blst';
 *
 * await startKernel();
 * console.log(decoded(kernel.validate_public_key(new Uint8Array(48))));
 * ```
 *
 * ```text
 * { ok: false, code: 'encoding' }
 * ```
 *
 * @packageDocumentation
 */
export * as kernel from '../kernel/tutti_bls.js';
export { decoded, joined, KernelRound, refusedItem } from './blst-wasm.ts';
export { startKernel } from './kernelModule.ts';
