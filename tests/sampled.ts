/** Where properties and samples begin. To search elsewhere: TUTTI_FC_SEED=n npx vitest run. */
export const drawSeed = Number(process.env.TUTTI_FC_SEED ?? 20_200_619);

/** Whether long simulations run whole, as in CI, instead of sampled. */
export const isWhole = Boolean(process.env.CI);

/** At most so many cases, spread evenly from where the seed says, in their order; all of them in CI. */
export function sampled<T>(cases: readonly T[], most: number): readonly T[] {
  return isWhole ? cases : alwaysSampled(cases, most);
}

/** The same in CI too, for what would take it minutes. */
export function alwaysSampled<T>(cases: readonly T[], most: number): readonly T[] {
  if (cases.length <= most) return cases;
  const first = drawSeed % cases.length;
  const chosen = Array.from({ length: most }, (_, k) => (first + Math.floor((k * cases.length) / most)) % cases.length);
  return chosen.sort((a, b) => a - b).map((index) => cases[index]!);
}

/** Which numbers from 1 on are tried: each of them in CI, else one in `step` from where the seed says. */
export function strided(step: number): { readonly first: number; readonly step: number } {
  return isWhole ? { first: 1, step: 1 } : { first: 1 + (drawSeed % step), step };
}
