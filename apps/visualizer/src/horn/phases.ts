import type { SlotIndex } from './slotIndex.ts';

/** Phase of a slot, [fromUs, toUs), µs since the slot began. */
export interface Phase {
  readonly fromUs: number;
  readonly toUs: number;
  readonly name: string;
}

/** Returns the phases of a slot. Horn adds the phase of collections. */
export function phases({ result, clock }: SlotIndex): readonly Phase[] {
  const starts = [
    { fromUs: 0, name: 'the block' },
    { fromUs: clock.attestUs, name: 'votes' },
    { fromUs: clock.aggregateUs, name: 'aggregates' },
    ...(result.scenario.system === 'horn' ? [{ fromUs: clock.collectUs, name: 'collections' }] : []),
  ];
  return phasesUntil(clock.endUs, starts);
}

/** Adds end times to phases: each phase lasts until the next one begins, and the last one until the slot's end. */
export function phasesUntil(endUs: number, starts: readonly Omit<Phase, 'toUs'>[]): readonly Phase[] {
  return starts.map((start, place) => ({ ...start, toUs: starts[place + 1]?.fromUs ?? endUs }));
}

/** Returns the phase at a time, or undefined once the next block is built. */
export function phaseAt(all: readonly Phase[], timeUs: number): Phase | undefined {
  return all.find(({ fromUs, toUs }) => fromUs <= timeUs && timeUs < toUs);
}
