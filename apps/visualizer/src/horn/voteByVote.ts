import type { HornParameters } from '@tutti/core/horn';
import type { TableLines } from '../files.ts';
import { count, megabytes, seconds } from '../formatNumber.ts';
import { query, write } from '../page.ts';
import { upperBound } from '../timeline/heldSteps.ts';
import { Tip } from '../views/drawing.ts';
import type { FieldPlace } from './fieldLayout.ts';
import { sentBy, type VoteCounts, votesOfAll, votesOfPlaces } from './fieldSlot.ts';
import { FieldView } from './fieldView.ts';
import { clockWords } from './postText.ts';
import { SlotChart } from './slotChart.ts';
import { systemNames } from './slotChoice.ts';
import { chartNumbers, fieldNumbers, type SlotIndex } from './slotIndex.ts';
import { writeMoment } from './slotStage.ts';

/** Callbacks for the drawings of one slot. */
interface VotesListener {
  /** Called when the user chooses a moment in the chart. */
  seek(timeUs: number): void;
  /** Called when a committee or subcommittee is chosen. */
  looked(): void;
  /** Returns the current moment of the clock, µs. */
  now(): number;
}

/** Views of one slot vote by vote: the field, the chart, and the numbers at the current moment. */
export class VoteByVote {
  readonly #on: VotesListener;
  readonly #field = new FieldView(query('#field'), (place) => this.look(place));
  readonly #chart: SlotChart;
  #index: SlotIndex | undefined;
  #place: FieldPlace = { committee: 0, subcommittee: 0 };

  constructor(on: VotesListener) {
    this.#on = on;
    this.#chart = new SlotChart(query('#slot-chart'), (timeUs) => on.seek(timeUs));
    for (const name of ['committee', 'subcommittee'] as const) {
      query(`#${name}`).addEventListener('change', () => {
        this.look({ ...this.#place, [name]: Number(query<HTMLInputElement>(`#${name}`).value) });
      });
    }
    new Tip().follow(this.#field.canvas, (x, y) => this.#describe(this.#field.placeUnder(x, y)));
  }

  get place(): FieldPlace {
    return this.#place;
  }

  /** Shows the places of a slot's votes before the simulation of the slot. */
  expect(parameters: HornParameters): void {
    this.#index = undefined;
    this.#field.expect(parameters);
    this.#writeFieldScale();
  }

  show(index: SlotIndex): void {
    this.#index = index;
    const { result } = index;
    query('#title').textContent = `${count(result.votes.cast)} votes for one block.`;
    document.title = `Tutti: ${count(result.nodes)} validators, ${systemNames[result.scenario.system]}`;
    this.#field.show(index);
    this.#chart.show(index);
    this.#writeFieldScale();
    query('#clock-sub').textContent = clockWords(index);
    for (const [name, limit] of [
      ['committee', result.scenario.parameters.committees],
      ['subcommittee', result.scenario.parameters.subcommittees],
    ] as const)
      query<HTMLInputElement>(`#${name}`).max = String(limit - 1);
    document.documentElement.toggleAttribute('data-eve', result.scenario.attacks.length > 0);
    document.documentElement.toggleAttribute('data-absent', result.scenario.dead > 0);
  }

  /** Chooses a committee and a subcommittee. Replaces each number out of range with the nearest valid one. */
  look({ committee, subcommittee }: FieldPlace): void {
    if (!this.#index) return;
    const { committees, subcommittees } = this.#index.result.scenario.parameters;
    const within = (value: number, count: number) => Math.min(count - 1, Math.max(0, Math.round(value) || 0));
    this.#place = { committee: within(committee, committees), subcommittee: within(subcommittee, subcommittees) };
    query<HTMLInputElement>('#committee').value = String(this.#place.committee);
    query<HTMLInputElement>('#subcommittee').value = String(this.#place.subcommittee);
    this.#field.choice = this.#place;
    this.#on.looked();
  }

  /** Returns the table of a view; undefined without a slot, or for a view without a table. */
  numbers(view: string, timeUs: number): TableLines | undefined {
    if (this.#index === undefined) return undefined;
    if (view === 'field') return fieldNumbers(this.#index, timeUs);
    return view === 'slot-chart' ? chartNumbers(this.#index) : undefined;
  }

  draw(timeUs: number): void {
    const index = this.#index;
    if (index === undefined) return;
    this.#field.draw(timeUs);
    drawMoment(index, this.#place, timeUs);
    this.#chart.draw(timeUs);
    const { topic } = index;
    const [sent, verified] = [upperBound(topic.sentUs, timeUs), upperBound(topic.verifiedUs, timeUs)];
    write(
      query('#topic-now'),
      `At ${seconds(timeUs)}, the global topic has carried ${count(sent)} messages (${megabytes(sent * topic.messageBytes)} MB); the proposer has verified ${count(verified)} of them.`,
    );
  }

  resize(): void {
    this.#field.resize();
    this.#chart.resize();
    this.#writeFieldScale();
  }

  recolour(): void {
    this.#field.recolour();
  }

  /** Returns the text about a place under the pointer. */
  #describe(place: FieldPlace | undefined): string | undefined {
    if (!place || !this.#index) return undefined;
    const { committee, subcommittee } = this.#index;
    const from = place.committee * committee + place.subcommittee * subcommittee;
    const votes = votesOfPlaces(this.#index, from, from + subcommittee, this.#on.now());
    if (!votes) return `committee ${place.committee} does not vote in this slot`;
    return `committee ${place.committee}, subcommittee ${place.subcommittee}: ${votes.reach} of ${votes.voters} votes verified by the proposer`;
  }

  #writeFieldScale(): void {
    const pixels = this.#field.pixelsPerVote;
    const scale =
      pixels >= 1 ? 'Each dot is one vote.' : `Each pixel is the mean of ${(1 / pixels ** 2).toFixed(1)} votes.`;
    const block = `Each block is a committee, and each rectangle of ${count(this.#field.votesOfSubcommittee)} votes in it is a subcommittee.`;
    const { dead, attacks } = this.#index?.result.scenario ?? {};
    const order =
      dead || attacks?.length
        ? ' Excluded votes, offline validators and Eve’s votes are at the bottom, in the order of the legend.'
        : '';
    query('#field-sub').textContent = `${scale} ${block}${order}`;
  }
}

/**
 * Writes the numbers at a moment for the whole slot, the selected committee and the selected subcommittee. A committee
 * that does not vote has no numbers.
 */
function drawMoment(index: SlotIndex, { committee, subcommittee }: FieldPlace, timeUs: number): void {
  const perCommittee = index.committee / index.subcommittee;
  const start = committee * index.committee;
  const from = start + subcommittee * index.subcommittee;
  const columns: readonly (VoteCounts | undefined)[] = [
    votesOfAll(index, timeUs),
    votesOfPlaces(index, start, start + index.committee, timeUs),
    votesOfPlaces(index, from, from + index.subcommittee, timeUs),
  ];
  for (const line of ['voters', 'cast', 'seen', 'reach'] as const)
    writeMoment(
      line,
      columns.map((column) => column?.[line]),
    );
  const first = committee * perCommittee;
  const { aggregates, collections } = index;
  const votes = committee < index.votingCommittees;
  writeMoment('aggregates', [
    sentBy(aggregates, 0, Number.POSITIVE_INFINITY, timeUs),
    votes ? sentBy(aggregates, first, first + perCommittee, timeUs) : undefined,
    votes ? sentBy(aggregates, first + subcommittee, first + subcommittee + 1, timeUs) : undefined,
  ]);
  const hasCollections = index.result.scenario.system === 'horn';
  writeMoment('collections', [
    hasCollections ? sentBy(collections, 0, Number.POSITIVE_INFINITY, timeUs) : undefined,
    hasCollections ? sentBy(collections, committee, committee + 1, timeUs) : undefined,
    undefined,
  ]);
}
