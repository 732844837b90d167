import { type HandelNode, noContribution } from '@tutti/core';
import {
  type Choice,
  checkingOf,
  entryScore,
  expected,
  type HandelState,
  List,
  nil,
  requireInteger,
  stateOf,
} from '@tutti/core/internal';
import { createSimulation, type Simulation } from '../run/simulation.ts';
import { requireScenario, type Scenario } from '../scenario/scenario.ts';

/**
 * What becomes of a contribution that waits (v1.03 section 3.3): `window`, it may be verified next; `waits`, it ranks
 * too far behind the best ranked one of use; `useless`, In_l would not be heavier with it, and it is pruned when its
 * turn comes; `dormant`, an individual contribution that In_l contains already, kept aside because In_l may be replaced
 * (section 2.4).
 */
export type DeskPlace = 'window' | 'waits' | 'useless' | 'dormant';

/** What a node keeps of one sender. */
export interface DeskItem {
  readonly sender: number;
  /** Its rank now; 0 for what is dormant. */
  readonly rank: number;
  /** The weight that In_l would have with it. */
  readonly score: number;
  /** Weight of its aggregate, 0 if none is kept. */
  readonly weight: number;
  /** Whether its individual contribution is kept too. */
  readonly hasIndividual: boolean;
  readonly place: DeskPlace;
}

/** One level of a node's inbox. */
export interface DeskLevel {
  readonly level: number;
  /** How many peers it has. */
  readonly size: number;
  readonly inWeight: number;
  /** The size of its window, in ranks. */
  readonly window: number;
  /** The last rank in the window; -1 while nothing of use waits. */
  readonly lastRank: number;
  /** In order of rank, what is dormant last. */
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
  /** What is being verified: nothing, one contribution, or a batch. */
  readonly checking: readonly DeskCheck[];
  /** The latest first. */
  readonly verdicts: readonly DeskVerdict[];
}

/** How many verdicts a desk remembers. */
const mostVerdicts = 8;

/**
 * Finds what a recording lacks, a node's queues, ranks, windows and scores at any moment of a run of Handel, by playing
 * the run again up to that moment. For a later moment it plays on; for an earlier one it starts again from the
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
  #inWeights: number[] = [];
  #windows: number[] = [];
  #verdicts: DeskVerdict[] = [];

  /**
   * Plays the run once to its end.
   *
   * @param scenario of Handel; its signatures are only counted, which is the same run.
   * @param node 0 to N-1.
   * @throws TypeError for what is no scenario; RangeError for another protocol, or a node that there is not.
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
    const state = stateOf(node);
    return {
      node: this.#node,
      timeUs,
      span: state.priorities.span,
      levels: Array.from({ length: state.levels.count }, (_, place) => deskLevel(state, place + 1)),
      checking: this.#checking.map(({ valid: _, ...check }) => check),
      verdicts: this.#verdicts.toReversed(),
    };
  }

  #restart(): void {
    this.#simulation = createSimulation(this.#scenario);
    this.#handled = 0;
    this.#before = undefined;
    this.#asked = [];
    this.#checking = [];
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
      this.#remember(stateOf(node));
    }
    if (checkingOf(node) === this.#asked) return;
    const state = stateOf(node);
    for (const done of this.#checking) {
      const [windowBefore, windowAfter] = [this.#windows[done.level]!, state.levels.window(done.level)];
      const adds = state.levels.inWeight(done.level) - this.#inWeights[done.level]!;
      this.#verdicts.push({ ...done, timeUs: this.#simulation.nowUs, adds, windowBefore, windowAfter });
      if (this.#verdicts.length > mostVerdicts) this.#verdicts.shift();
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

function deskLevel(state: HandelState, level: number): DeskLevel {
  const { levels, pending, scheme, off } = state;
  const inWeight = levels.inWeight(level);
  const window = off.score ? 1 : off.window ? Number.POSITIVE_INFINITY : levels.window(level);
  const items: DeskItem[] = [];
  let lastRank = -1;
  for (let entry = pending.head(level); entry !== nil; entry = pending.next(entry)) {
    const rank = pending.rank(entry);
    const score = entryScore(state, level, entry);
    if (lastRank === -1 && score > inWeight) lastRank = rank + window - 1;
    const aggregate = pending.aggregate(entry);
    items.push({
      sender: pending.sender(entry),
      rank,
      score,
      weight: aggregate === noContribution ? 0 : scheme.weight(aggregate),
      hasIndividual: pending.individual(entry) !== noContribution,
      place: score <= inWeight ? 'useless' : rank <= lastRank ? 'window' : 'waits',
    });
  }
  const dormant = pending.run(level, List.dormant);
  for (let place = pending.countOf(dormant) - 1; place >= 0; place--) {
    const sender = pending.senderIn(dormant, place);
    items.push({ sender, rank: 0, score: inWeight, weight: 0, hasIndividual: true, place: 'dormant' });
  }
  return { level, size: levels.size(level), inWeight, window, lastRank, items };
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
