/**
 * A module with one function, (a, b, c) => a * b + c in a lane of f64x2.relaxed_madd: type, function, export `fused`,
 * code. The code is `local.get` and `f64x2.splat` for each argument, then `f64x2.relaxed_madd` and
 * `f64x2.extract_lane`.
 */
const probe = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...[0x01, 0x08, 0x01, 0x60, 0x03, 0x7c, 0x7c, 0x7c, 0x01, 0x7c],
  ...[0x03, 0x02, 0x01, 0x00],
  ...[0x07, 0x09, 0x01, 0x05, 0x66, 0x75, 0x73, 0x65, 0x64, 0x00, 0x00],
  ...[0x0a, 0x16, 0x01, 0x14, 0x00],
  ...[0x20, 0x00, 0xfd, 0x14, 0x20, 0x01, 0xfd, 0x14, 0x20, 0x02, 0xfd, 0x14],
  ...[0xfd, 0x87, 0x02, 0xfd, 0x21, 0x00, 0x0b],
);

/**
 * Returns whether this engine supports relaxed SIMD and fuses multiplication and addition with a single rounding, which
 * the SIMD kernel requires. The WebAssembly standard also allows two roundings. Engines round twice on processors
 * without a fused instruction.
 */
export async function fuses(): Promise<boolean> {
  if (!WebAssembly.validate(probe)) return false;
  const { instance } = await WebAssembly.instantiate(probe);
  const fused = instance.exports.fused as (a: number, b: number, c: number) => number;
  const factor = 2 ** 49 - 1;
  // The factor is as long as a sum of two digits (crate/field/lanes.h). The last place of its square, 2^98 - 2^50 + 1, is
  // lost unless rounding occurs only after the addition.
  return (
    fused(factor, factor, -(2 ** 98)) === 1 - 2 ** 50 &&
    fused(-factor, factor, 2 ** 98) === 2 ** 50 - 1 &&
    fused(2 ** 48 + 1, 2 ** 48 + 1, -(2 ** 96 + 2 ** 49)) === 1
  );
}
