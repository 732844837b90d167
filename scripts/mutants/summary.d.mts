import type { Place } from './places.mjs';

export interface Done {
  readonly folder: string;
  readonly name: string;
  readonly key: string;
  readonly place: Place;
  readonly outcome: { readonly killed: boolean; readonly how?: string };
  readonly reason?: string;
}
export function summaryOf(
  names: readonly string[],
  folders: ReadonlyMap<string, readonly unknown[]>,
  done: readonly Done[],
  run: { readonly command: string; readonly left: number },
): { readonly markdown: string; readonly failures: readonly string[] };
