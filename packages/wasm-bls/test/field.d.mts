/** Integers in memory, 0..p-1: one of Fp, or the two halves of one of Fp2. */
export type Element = readonly bigint[];
export const p: bigint;
export const operations: readonly {
  readonly name: string;
  readonly expected: (a: Element, b: Element) => Element;
}[];
export function kernelAnswer(name: string, a: Element, b: Element): Element;
export function edges(): bigint[];
export function fieldCheck(draw: () => number): void;
