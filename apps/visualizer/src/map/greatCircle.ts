/** Points of the globe as unit vectors, three numbers each. */
export function unitVectors(
  places: readonly { readonly latitude: number; readonly longitude: number }[],
): Float64Array {
  const vectors = new Float64Array(3 * places.length);
  for (const [at, { latitude, longitude }] of places.entries()) {
    const [up, round] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
    vectors[3 * at] = Math.cos(up) * Math.cos(round);
    vectors[3 * at + 1] = Math.cos(up) * Math.sin(round);
    vectors[3 * at + 2] = Math.sin(up);
  }
  return vectors;
}

/**
 * Sets `to` to the longitude and latitude, degrees, of the point at `share` of the shortest way from place `a` to place
 * `b`.
 */
export function alongGreatCircle(
  vectors: Float64Array,
  a: number,
  b: number,
  share: number,
  to: [number, number],
): void {
  const [ax, ay, az] = [vectors[3 * a]!, vectors[3 * a + 1]!, vectors[3 * a + 2]!];
  const [bx, by, bz] = [vectors[3 * b]!, vectors[3 * b + 1]!, vectors[3 * b + 2]!];
  const angle = Math.acos(Math.min(1, Math.max(-1, ax * bx + ay * by + az * bz)));
  const sine = Math.sin(angle);
  // At one place, or at its antipode, where every way is as short.
  const [ka, kb] =
    sine < 1e-9 ? [1 - share, share] : [Math.sin((1 - share) * angle) / sine, Math.sin(share * angle) / sine];
  const [x, y, z] = [ka * ax + kb * bx, ka * ay + kb * by, ka * az + kb * bz];
  to[0] = (Math.atan2(y, x) * 180) / Math.PI;
  to[1] = (Math.atan2(z, Math.sqrt(x * x + y * y)) * 180) / Math.PI;
}
