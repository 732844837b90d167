/** Seed of properties and samples. To test other cases, run TUTTI_FC_SEED=n npx vitest run. */
export const drawSeed = Number(process.env.TUTTI_FC_SEED ?? 20_200_619);

/** Whether long simulations run completely, as in CI, or only a sample of their cases. */
export const isWhole = Boolean(process.env.CI);

/** Returns at most `most` cases in order, evenly spaced from a start given by the seed; in CI, all cases. */
export function sampled<T>(cases: readonly T[], most: number): readonly T[] {
  return isWhole ? cases : alwaysSampled(cases, most);
}

/** Works like {@link sampled}, but samples in CI too, for cases that would take minutes. */
export function alwaysSampled<T>(cases: readonly T[], most: number): readonly T[] {
  if (cases.length <= most) return cases;
  const first = drawSeed % cases.length;
  const chosen = Array.from({ length: most }, (_, k) => (first + Math.floor((k * cases.length) / most)) % cases.length);
  return chosen.sort((a, b) => a - b).map((index) => cases[index]!);
}

/** Returns the first tested number and the step: 1 and 1 in CI, otherwise one in `step`, by the seed. */
export function strided(step: number): { readonly first: number; readonly step: number } {
  return isWhole ? { first: 1, step: 1 } : { first: 1 + (drawSeed % step), step };
}
