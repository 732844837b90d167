/** Integers in memory, 0..p-1: one of Fp, the two halves of one of Fp2, or the twelve of one of Fp12. */
export type Element = readonly bigint[];
export const p: bigint;
interface Operation {
  readonly name: string;
  readonly expected: (a: Element, b: Element) => Element;
}
export const operations: readonly Operation[];
export const towerOperations: readonly Operation[];
export function towerEdgesCheck(): void;
export function cyclotomicCheck(draw: () => number): void;
export function kernelAnswer(name: string, a: Element, b: Element): Element;
export function edges(): bigint[];
export function fieldCheck(draw: () => number): void;
