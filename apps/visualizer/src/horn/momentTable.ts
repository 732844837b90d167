import { figure } from '../formatNumber.ts';
import { query } from '../page.ts';
import type { FieldPlace } from './fieldLayout.ts';
import { sentBy, type VoteCounts, votesOfAll, votesOfPlaces } from './moment.ts';
import type { SlotIndex } from './slotIndex.ts';

/** Rows of the table, in the order of horn.html. */
const votes = ['voters', 'cast', 'seen', 'reach'] as const;

/** Writes the three cells of a row of the table. */
export function writeMoment(line: string, values: readonly (number | undefined)[]): void {
  [...query<HTMLTableRowElement>(`#at-${line}`).cells].slice(1).forEach((cell, place) => {
    const value = values[place];
    cell.textContent = value === undefined ? '–' : figure(value);
  });
}

/** Draws the numbers at the moment: over all places, of the chosen committee, and of the chosen subcommittee. */
export function drawMoment(index: SlotIndex, { committee, subcommittee }: FieldPlace, timeUs: number): void {
  const size = index.committee / index.subcommittee;
  const start = committee * index.committee;
  const from = start + subcommittee * index.subcommittee;
  const columns: readonly (VoteCounts | undefined)[] = [
    votesOfAll(index, timeUs),
    votesOfPlaces(index, start, start + index.committee, timeUs),
    votesOfPlaces(index, from, from + index.subcommittee, timeUs),
  ];
  for (const line of votes)
    writeMoment(
      line,
      columns.map((column) => column?.[line]),
    );
  const first = committee * size;
  const { aggregates, collections } = index;
  const speaks = committee < index.votingCommittees;
  writeMoment('aggregates', [
    sentBy(aggregates, 0, Number.POSITIVE_INFINITY, timeUs),
    speaks ? sentBy(aggregates, first, first + size, timeUs) : undefined,
    speaks ? sentBy(aggregates, first + subcommittee, first + subcommittee + 1, timeUs) : undefined,
  ]);
  const collects = index.result.scenario.system === 'horn';
  writeMoment('collections', [
    collects ? sentBy(collections, 0, Number.POSITIVE_INFINITY, timeUs) : undefined,
    collects ? sentBy(collections, committee, committee + 1, timeUs) : undefined,
    undefined,
  ]);
}
