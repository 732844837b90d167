import { type HornSystem, hornSystems } from '@tutti/core/horn';
import type { SlotResult, SlotScenario } from '@tutti/ethereum';
import { html, nothing, render } from 'lit-html';
import type { TableLines } from '../files.ts';
import { count, megabytes, percent } from '../formatNumber.ts';
import { query } from '../page.ts';
import type { Mark } from '../player/dock.ts';
import type { PlayerContent } from '../player/player.ts';
import { messageOf } from '../worker/task.ts';
import { threeChapters } from './laneText.ts';
import type { DoneSystems, SlotRuns } from './runSlots.ts';
import { systemNames } from './slotChoice.ts';
import { SlotFields } from './slotFields.ts';
import { recordedSlots, type SlotLane } from './slotFile.ts';
import { lanesNumbers, type SlotIndex } from './slotIndex.ts';
import { sameSlot } from './slotState.ts';

type Cell = (result: SlotResult) => string;

/** Rows of the table that compares the three systems. */
const lines: readonly (readonly [title: string, cell: Cell])[] = [
  ['votes in the slot', ({ votes }) => count(votes.cast)],
  [
    'time until the proposer has verified 99 %, s',
    ({ blockReachMs }) => (blockReachMs === null ? 'never' : (blockReachMs / 1000).toFixed(2)),
  ],
  ['slot length, s', ({ slotEndMs }) => (slotEndMs / 1000).toFixed(0)],
  ['votes verified by the proposer at the end of the slot', ({ votes }) => percent(votes.inReach, votes.cast)],
  ['messages on the global topic', ({ topics }) => count(topics.global.messages)],
  ['MB on the global topic (each message counted once)', ({ topics }) => megabytes(topics.global.bytes)],
  ['MB received per full node', ({ topics }) => (topics.global.memberBytes / 1e6).toFixed(1)],
  ['verification time on one core, s', ({ verificationSeconds }) => verificationSeconds.total.toFixed(2)],
];

/** State of one system's simulation: its result, or its progress. */
type SystemState = { readonly result: SlotResult } | { readonly progress: number } | undefined;

/** Draws the three systems side by side, each with its result or progress. */
function drawSystems(
  host: HTMLElement,
  state: (system: HornSystem) => SystemState,
  shown: HornSystem | undefined,
  onChoose: (system: HornSystem) => void,
): void {
  const chooser = (system: HornSystem) =>
    html`<th scope="col"><button type="button" class="system choice" data-testid="see-${system}" aria-current=${system === shown ? 'true' : nothing} @click=${() => onChoose(system)}>${systemNames[system]}</button></th>`;
  const value = (cell: Cell, known: SystemState) =>
    known && 'result' in known
      ? html`<td>${cell(known.result)}</td>`
      : html`<td class="open">${known ? `${Math.floor(known.progress * 100)} %` : '–'}</td>`;
  const rows = lines.map(
    ([title, cell]) =>
      html`<tr><th scope="row">${title}</th>${hornSystems.map((system) => value(cell, state(system)))}</tr>`,
  );
  render(html`<table><thead><tr><td></td>${hornSystems.map(chooser)}</tr></thead><tbody>${rows}</tbody></table>`, host);
}

/** The same slot with each system side by side, recorded or simulated. */
export class ComparedSlots {
  readonly #fields = new SlotFields(query('#three-fields'));
  /** Recorded slot for a first visit, with each system. */
  #recorded: readonly SlotLane[] = [];
  /** Compared lanes; empty until all of them are known. */
  #lanes: readonly SlotLane[] = [];
  #failed: string | undefined;

  /** Loads the recorded slots. Never rejects: {@link failed} contains the message of an error. */
  async load(): Promise<void> {
    try {
      this.#recorded = (await recordedSlots()).lanes;
    } catch (error) {
      this.#failed = `The recorded slots could not be loaded: ${messageOf(error)}`;
    }
  }

  /** Error message if the recorded slots could not be loaded. */
  get failed(): string | undefined {
    return this.#failed;
  }

  /** Scenario of the recorded slot with Horn; undefined until it is loaded. */
  get recorded(): SlotScenario | undefined {
    return this.#recorded.at(-1)?.result.scenario;
  }

  /** Horn's lane among the compared lanes; undefined if no slot is compared. */
  get horn(): SlotLane | undefined {
    return this.#lanes.at(-1);
  }

  #laneIn(about: SlotScenario, system: HornSystem, all: DoneSystems): SlotLane | undefined {
    const isIt = ({ result }: SlotLane) => result.scenario.system === system && sameSlot(result.scenario, about);
    return [...all.values()].find(isIt) ?? this.#recorded.find(isIt);
  }

  /** Shows a slot with the three systems if the result of each system is known. @returns whether the slot is shown. */
  compare(about: SlotScenario | undefined, done: DoneSystems): boolean {
    // The space stays reserved until the recorded slot has loaded.
    if (about === undefined) return false;
    const lanes = hornSystems.flatMap((system) => this.#laneIn(about, system, done) ?? []);
    const isWhole = lanes.length === hornSystems.length;
    query('#three').hidden = !isWhole;
    this.#lanes = isWhole ? lanes : [];
    if (!isWhole) return false;
    this.#fields.show(lanes);
    const { scenario } = lanes[0]!.result;
    const recorded = lanes.some((lane) => this.#recorded.includes(lane));
    query('#three-sub').textContent =
      `All systems have ${count(scenario.parameters.validators)} validators and the same network, seed and clock${recorded ? ' (recorded)' : ''}. Each block is a committee. Each cell is a subcommittee and fills in steps of a quarter. Nodes verify one signature at a time on the machine that Horn’s post assumes.`;
    return true;
  }

  /** Returns the player's content for the compared systems, with the length and the votes of Horn's slot. */
  content(): PlayerContent {
    const { result, steps } = this.horn!;
    const chapters = threeChapters(this.#lanes);
    const [, , reach] = steps.counts;
    const cast = Math.max(1, result.votes.cast);
    return {
      track: {
        spanUs: result.slotEndMs * 1000,
        curve: reach!.map((votes, step) => [step / (reach!.length - 1), votes / cast]),
      },
      chapters,
      marks: chapters.slice(1).map(({ timeUs, title }): Mark => ({ timeUs, label: title, kind: 'level' })),
      stepsUs: reach!.map((_, step) => step * steps.stepUs),
    };
  }

  /**
   * Draws the table of the three systems with the results available so far. The table is about the slot that was
   * simulated last or is being simulated, or else about the shown or the recorded slot.
   *
   * @param index slot that is shown vote by vote. @param onChoose called with a system and the table's slot, which is
   * undefined for the recorded slot.
   */
  drawTable(
    index: SlotIndex | undefined,
    { now, done }: Pick<SlotRuns, 'now' | 'done'>,
    onChoose: (system: HornSystem, about: SlotScenario | undefined) => void,
  ): void {
    const [any] = done.values();
    const about = any?.result.scenario ?? now?.scenario ?? index?.result.scenario;
    const known = about ?? this.recorded;
    const state = (system: HornSystem): SystemState => {
      const lane = known && this.#laneIn(known, system, done);
      if (lane) return { result: lane.result };
      return now?.scenario.system === system ? { progress: now.progress } : undefined;
    };
    const shown = index?.result.scenario.system;
    drawSystems(query('#systems'), state, shown && done.has(shown) ? shown : undefined, (system) =>
      onChoose(system, about),
    );
  }

  /** Table of the compared lanes; undefined if no slot is compared. */
  get numbers(): TableLines | undefined {
    return this.#lanes.length > 0 ? lanesNumbers(this.#lanes) : undefined;
  }

  draw(timeUs: number): void {
    this.#fields.draw(timeUs);
  }

  resize(): void {
    this.#fields.resize();
  }

  recolour(): void {
    this.#fields.recolour();
  }
}
