/** `seed 1`, `seeds 1 and 3`, `seeds 1 to 3`: of all runs, each seed once. */
export function seedsText(runs: readonly { readonly seed: number }[]): string {
  const seeds = [...new Set(runs.map(({ seed }) => seed))].sort((a, b) => a - b);
  const [first, ...rest] = seeds;
  if (rest.length === 0) return `seed ${first}`;
  const isRange = seeds.every((seed, place) => seed === first! + place);
  return isRange && rest.length > 1
    ? `seeds ${first} to ${rest.at(-1)}`
    : `seeds ${seeds.slice(0, -1).join(', ')} and ${seeds.at(-1)}`;
}
