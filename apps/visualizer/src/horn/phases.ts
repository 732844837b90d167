import type { SlotIndex } from './slotIndex.ts';

/** A phase of the slot, and what happens in it. */
export interface Phase {
  readonly fromUs: number;
  readonly toUs: number;
  readonly name: string;
}

/** Rounds as long as today's; Horn has one more. */
export function phases({ result, clock }: SlotIndex): readonly Phase[] {
  const starts = [
    { fromUs: 0, name: 'the block' },
    { fromUs: clock.attestUs, name: 'votes' },
    { fromUs: clock.aggregateUs, name: 'aggregates' },
    ...(result.scenario.system === 'horn' ? [{ fromUs: clock.collectUs, name: 'collections' }] : []),
  ];
  return phasesUntil(clock.endUs, starts);
}

/** Each lasts until the next begins, and the last until the slot's end. */
export function phasesUntil(endUs: number, starts: readonly Omit<Phase, 'toUs'>[]): readonly Phase[] {
  return starts.map((start, place) => ({ ...start, toUs: starts[place + 1]?.fromUs ?? endUs }));
}

/** Undefined once the next block is made. */
export function phaseAt(all: readonly Phase[], timeUs: number): Phase | undefined {
  return all.find(({ fromUs, toUs }) => fromUs <= timeUs && timeUs < toUs);
}
