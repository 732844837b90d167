/**
 * The probabilities of 0 to `trials` successes. Worked out from the likeliest count outwards and then normalised, so
 * that nothing underflows where it matters.
 *
 * @param chance of one success, 0 to 1.
 */
export function binomial(trials: number, chance: number): Float64Array {
  const likeliest = Math.min(trials, Math.floor((trials + 1) * chance));
  const weights = new Float64Array(trials + 1);
  weights[likeliest] = 1;
  for (let count = likeliest; count < trials; count++) {
    weights[count + 1] = (weights[count]! * (trials - count) * chance) / ((count + 1) * (1 - chance));
  }
  for (let count = likeliest; count > 0; count--) {
    weights[count - 1] = (weights[count]! * count * (1 - chance)) / ((trials - count + 1) * chance);
  }
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
