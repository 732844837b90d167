/** Standard deviations on either side that leave one in a thousand outside. */
const deviations = 3.29;

/**
 * Where the chance of an event lies that came `count` times in `trials`, at 99.9 % (Wilson's score interval). It says something also when the
 * event never came.
 */
export function wilsonInterval(count: number, trials: number): readonly [least: number, most: number] {
  const share = count / trials;
  const square = deviations ** 2 / trials;
  const centre = (share + square / 2) / (1 + square);
  const half = Math.sqrt(square * (share * (1 - share) + square / 4)) / (1 + square);
  return [count === 0 ? 0 : centre - half, count === trials ? 1 : centre + half];
}
