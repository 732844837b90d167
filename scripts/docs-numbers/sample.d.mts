export function sampleOf<T extends { readonly name: string }>(
  blocks: readonly T[],
  options: { run: number; seed: number; budget?: number; costOf?: (block: T) => number },
): T[];
