/** Field multiplications of a mixed addition, Jacobian and affine: 7 and 4 squarings, which are counted alike. */
export const mixedAdditionMultiplications = 11;

/** An affine addition once its denominator is inverted: 2 multiplications and 1 squaring. */
const affineMultiplications = 3;

/** Montgomery's trick: inverting many at once costs one inversion and 3 multiplications for each. */
const sharedInversionMultiplications = 3;

/**
 * The inversion itself, as a 381-bit power by windows of four bits: 380 squarings and some 80 products. Faster ways are
 * known.
 */
const inversionMultiplications = 460;

/**
 * Field multiplications for one addition of a sum over `points` affine points, added pair by pair in rounds that share
 * one inversion each (Horn: "Verification time for collections"). Points are taken to be distinct: a doubling costs one
 * more.
 */
export function batchedAdditionMultiplications(points: number): number {
  const rounds = Math.ceil(Math.log2(points));
  return affineMultiplications + sharedInversionMultiplications + (rounds * inversionMultiplications) / (points - 1);
}
