/** Standard deviations on either side that leave one in a thousand outside. */
const deviations = 3.29;

/**
 * The 99.9 % interval for the chance of an event that happened `count` times in `trials` (Wilson's score interval). It
 * is of use also if the event never happened.
 */
export function wilsonInterval(count: number, trials: number): readonly [least: number, most: number] {
  const share = count / trials;
  const square = deviations ** 2 / trials;
  const centre = (share + square / 2) / (1 + square);
  const half = Math.sqrt(square * (share * (1 - share) + square / 4)) / (1 + square);
  return [count === 0 ? 0 : centre - half, count === trials ? 1 : centre + half];
}
