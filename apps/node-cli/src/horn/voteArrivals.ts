import type { ResultTable } from '@tutti/lab/results';
import type { ObservedSlot } from './mainnetFigures.ts';

/** Number of the message kind `attestation` in eth-slot-sim's reports. */
const attestationKind = 2;

const nsOfUs = 1000;

/** Observed arrivals of a slot. `slot` is its number, `slotMs` the length of a slot, ms. */
export interface ArrivalsOf {
  readonly name: string;
  readonly slot: number;
  readonly slotMs: number;
  readonly seen: ObservedSlot;
}

/** Integer columns in eth-slot-sim's reports. */
const integerColumns = [
  'node',
  'kind',
  'slot',
  'subnet',
  'attester',
  'origin',
  't_ns',
  'propagation_slot_start_diff',
  'published_t_ns',
] as const;

/**
 * Returns the time at which each observer received each vote, one row each. Votes that never arrived have no row. The
 * columns are those that eth-slot-sim's reports read (its analysis/to_parquet.py@e9cc1ec: node to t_ns; kinds by
 * check_arrivals.py), Xatu's name for the time since the slot began, and the time at which the vote was sent. Times in
 * ns count from the start of slot 0.
 */
export function voteArrivals(slots: readonly ArrivalsOf[]): ResultTable {
  const rows = slots.flatMap(({ name, slot, slotMs, seen: { slot: simulated } }) => {
    const startNs = slot * slotMs * 1e6;
    const observers = simulated.world.observers;
    return simulated.run.arrivals.flatMap(({ subnet, members, votes }) => {
      const watched = Array.from(observers, (node) => ({ node, member: members.indexOf(node) }));
      return votes.flatMap(({ places, node: origin, castUs, verifiedUs }) =>
        places.flatMap((attester) =>
          watched.flatMap(({ node, member }) => {
            const us = verifiedUs[member] ?? -1;
            if (us === -1 || node === origin) return [];
            const times = [startNs + nsOfUs * us, Math.round(us / 1000), startNs + nsOfUs * castUs];
            return [[node, attestationKind, slot, subnet, attester, origin, ...times, name]];
          }),
        ),
      );
    });
  });
  rows.sort((a, b) => [2, 3, 4, 0].map((place) => Number(a[place]) - Number(b[place])).find((one) => one !== 0) ?? 0);
  return {
    columns: [...integerColumns, 'slot_name'],
    rows,
    types: Object.fromEntries(integerColumns.map((name) => [name, 'INT64' as const])),
  };
}
