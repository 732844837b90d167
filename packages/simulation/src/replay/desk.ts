import type { HandelNode } from '@tutti/core';
import {
  type Choice,
  checkingOf,
  type ExplainedEntry,
  type ExplainedLevel,
  type Explanation,
  explain,
  type HandelState,
  List,
  stateOf,
  watchChoices,
} from '@tutti/core/packed';
import { expected, requireInteger } from '@tutti/core/settings';
import { createSimulation, type Simulation } from '../run/simulation.ts';
import { requireScenario, type Scenario } from '../scenario/scenario.ts';

export type { ExplainedChoice, ExplainedLevel, Explanation } from '@tutti/core/packed';

/**
 * What becomes of what is kept of a sender, as core decides it (v1.03 section 3.3): `window`, it may be verified next;
 * `waits`, it ranks too far behind the best ranked one of use. What would add nothing is never verified: when its turn
 * comes, an aggregate is `pruned` (3.5.3 (3)), and an individual contribution is put `aside`, with its aggregate, if
 * there is one, pruned. `dormant` is an individual contribution that lies aside already, since In_l may be replaced
 * (section 2.4).
 */
export type DeskPlace = 'window' | 'waits' | 'pruned' | 'aside' | 'dormant';

/** What a node keeps of one sender. */
export interface DeskItem extends Omit<ExplainedEntry, 'place'> {
  readonly place: DeskPlace;
}

/** One level of a node's inbox; in its items what is dormant comes last. */
export interface DeskLevel extends Omit<ExplainedLevel, 'entries'> {
  readonly items: readonly DeskItem[];
}

/** What is being verified. */
export interface DeskCheck {
  readonly level: number;
  readonly sender: number;
  readonly weight: number;
  readonly isIndividual: boolean;
}

/** How a verification ended. */
export interface DeskVerdict extends DeskCheck {
  readonly timeUs: number;
  readonly valid: boolean;
  /** How much heavier In_l became. */
  readonly adds: number;
  readonly windowBefore: number;
  readonly windowAfter: number;
}

/** One node's inbox at a moment. */
export interface Desk {
  readonly node: number;
  readonly timeUs: number;
  /** Ranks of peers begin in [0, span), and grow by it with each verification. */
  readonly span: number;
  readonly levels: readonly DeskLevel[];
  /** What would be verified next, and by what it would be chosen, were it chosen now. */
  readonly next: Omit<Explanation, 'levels'>;
  /** What is being verified: nothing, one contribution, or a batch. */
  readonly checking: readonly DeskCheck[];
  /** By what it was chosen, and what else there was at that moment; undefined while nothing is verified. */
  readonly choice: Explanation | undefined;
  /** The latest first. */
  readonly verdicts: readonly DeskVerdict[];
}

/** How many verdicts a desk remembers. */
const maxVerdicts = 8;

/**
 * Finds what a recording lacks, a node's queues, ranks, windows and scores at any moment of a run of Handel, by running
 * the run again up to that moment. For a later moment it runs on; for an earlier one it starts again from the
 * beginning.
 */
export class DeskReplay {
  readonly #scenario: Scenario;
  readonly #node: number;
  /** Of the whole run, to be compared with that of the run that the desk should show. */
  readonly digest: string;
  /** When each event of the run was handled, microseconds, ascending. */
  readonly #eventsUs: Float64Array;
  #simulation: Simulation;
  #handled = 0;
  #before: HandelNode | undefined;
  #asked: readonly Choice[] = [];
  /** What is being verified, and whether it will turn out valid. */
  #checking: readonly (DeskCheck & { readonly valid: boolean })[] = [];
  /** What the node told of its last choice. */
  #choice: Explanation | undefined;
  #inWeights: number[] = [];
  #windows: number[] = [];
  #verdicts: DeskVerdict[] = [];

  /**
   * Runs it once to its end.
   *
   * @param scenario of Handel; its signatures are only counted, which is the same run.
   * @param node 0 to N-1.
   * @throws TypeError for anything but a scenario; RangeError for another protocol, or a node that there is not.
   */
  constructor(scenario: Scenario, node: number) {
    requireScenario(scenario);
    if (scenario.protocol !== 'handel') throw new RangeError(expected('protocol', 'handel', scenario.protocol));
    requireInteger('node', node, 0, scenario.nodes - 1);
    this.#scenario = { ...scenario, scheme: 'counting' };
    this.#node = node;
    const whole = createSimulation(this.#scenario);
    const eventsUs: number[] = [];
    let events = 0;
    while (whole.advance(1)) {
      if (whole.events > events) eventsUs.push(whole.nowUs);
      events = whole.events;
    }
    if (whole.events > events) eventsUs.push(whole.nowUs);
    this.digest = whole.result().digest;
    this.#eventsUs = Float64Array.from(eventsUs);
    this.#simulation = createSimulation(this.#scenario);
  }

  /** The desk once everything up to `timeUs` has happened; undefined where the node is dead or Byzantine. */
  at(timeUs: number): Desk | undefined {
    const wanted = countUntil(this.#eventsUs, timeUs);
    if (wanted < this.#handled) this.#restart();
    this.#follow();
    while (this.#handled < wanted) {
      const { events } = this.#simulation;
      this.#simulation.advance(1);
      // A message that waits for a core that nodes share is no event yet.
      if (this.#simulation.events === events) continue;
      this.#handled++;
      this.#follow();
    }
    const node = this.#simulation.handelNode(this.#node);
    if (node === undefined) return undefined;
    const { levels, ...next } = explain(node);
    const state = stateOf(node);
    return {
      node: this.#node,
      timeUs,
      span: state.priorities.span,
      levels: levels.map((level) => deskLevel(state, level)),
      next,
      checking: this.#checking.map(({ valid: _, ...check }) => check),
      choice: this.#checking.length > 0 ? this.#choice : undefined,
      verdicts: this.#verdicts.toReversed(),
    };
  }

  #restart(): void {
    this.#simulation = createSimulation(this.#scenario);
    this.#handled = 0;
    this.#before = undefined;
    this.#verdicts = [];
  }

  /** Notes how a verification ended, from what the node was before the event and is after it. */
  #follow(): void {
    const node = this.#simulation.handelNode(this.#node);
    if (node === undefined) return;
    if (node !== this.#before) {
      // A node that lost its state starts again.
      this.#before = node;
      this.#asked = [];
      this.#checking = [];
      watchChoices(node, (choice) => {
        this.#choice = choice;
      });
      this.#remember(stateOf(node));
    }
    if (checkingOf(node) === this.#asked) return;
    const state = stateOf(node);
    for (const done of this.#checking) {
      const [windowBefore, windowAfter] = [this.#windows[done.level]!, state.levels.window(done.level)];
      const adds = state.levels.inWeight(done.level) - this.#inWeights[done.level]!;
      this.#verdicts.push({ ...done, timeUs: this.#simulation.nowUs, adds, windowBefore, windowAfter });
      if (this.#verdicts.length > maxVerdicts) this.#verdicts.shift();
    }
    this.#asked = checkingOf(node);
    this.#checking = checkingOf(node).map(({ level, sender, isIndividual, contribution }) => {
      const weight = state.scheme.weight(contribution);
      return { level, sender, weight, isIndividual, valid: state.scheme.verify(contribution) };
    });
    this.#remember(state);
  }

  #remember({ levels }: HandelState): void {
    this.#inWeights = Array.from({ length: levels.count + 1 }, (_, level) =>
      level === 0 ? 0 : levels.inWeight(level),
    );
    this.#windows = Array.from({ length: levels.count + 1 }, (_, level) => (level === 0 ? 0 : levels.window(level)));
  }
}

function deskLevel({ pending }: HandelState, { entries, ...level }: ExplainedLevel): DeskLevel {
  const items: DeskItem[] = entries.map((entry) => ({ ...entry, place: placeOf(entry) }));
  const dormant = pending.run(level.level, List.dormant);
  for (let place = pending.countOf(dormant) - 1; place >= 0; place--) {
    const sender = pending.senderIn(dormant, place);
    const nothing = { rank: 0, score: level.inWeight, adds: 0, weight: 0, hasIndividual: true } as const;
    items.push({ sender, ...nothing, place: 'dormant' });
  }
  return { ...level, items };
}

function placeOf({ place, hasIndividual }: ExplainedEntry): DeskPlace {
  if (place !== 'useless') return place;
  return hasIndividual ? 'aside' : 'pruned';
}

/** How many of the ascending times are at or before `timeUs`. */
function countUntil(timesUs: Float64Array, timeUs: number): number {
  let low = 0;
  let high = timesUs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timesUs[middle]! <= timeUs) low = middle + 1;
    else high = middle;
  }
  return low;
}
