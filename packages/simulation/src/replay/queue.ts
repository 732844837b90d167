import type { HandelNode } from '@tutti/core';
import { expected, requireInteger } from '@tutti/core/input';
import {
  type Choice,
  type ExplainedEntry,
  type ExplainedLevel,
  type Explanation,
  explainState,
  type HandelState,
  List,
} from '@tutti/core/packed';
import { createSimulation, type Simulation } from '../run/simulation.ts';
import { requireScenario, type Scenario } from '../scenario/scenario.ts';

/**
 * Status of an entry in the verification queue, as determined by core (v1.03 section 3.3).
 *
 * - `window`: the entry may be verified next.
 * - `waits`: the entry ranks too far behind the best-ranked useful entry.
 * - `pruned`: an aggregate that would add nothing is removed when its turn comes (section 3.5.3 (3)).
 * - `aside`: an individual contribution that would add nothing is set aside when its turn comes. The aggregate in the
 *   same entry, if any, is pruned.
 * - `dormant`: an individual contribution was set aside earlier, since In_l may be replaced (section 2.4).
 */
export type QueuePlace = 'window' | 'waits' | 'pruned' | 'aside' | 'dormant';

/** Everything that a node stores of one sender. */
export interface QueueItem extends Omit<ExplainedEntry, 'place'> {
  readonly place: QueuePlace;
}

/** The queue of one level; dormant entries come last. */
export interface QueueLevel extends Omit<ExplainedLevel, 'entries'> {
  readonly items: readonly QueueItem[];
}

/** A contribution that is being verified. */
export interface QueueCheck {
  readonly level: number;
  readonly sender: number;
  /** Number of signers. */
  readonly weight: number;
  readonly isIndividual: boolean;
}

/** Result of a verification. */
export interface QueueVerdict extends QueueCheck {
  /** Virtual time at the end of the verification, µs. */
  readonly timeUs: number;
  readonly valid: boolean;
  /** Weight that the contribution added to In_l. */
  readonly adds: number;
  readonly windowBefore: number;
  readonly windowAfter: number;
}

/** The verification queues of one node at a time of the run. */
export interface VerificationQueue {
  readonly node: number;
  readonly timeUs: number;
  /** Range of initial ranks: [0, span). A rank grows by `span` with each verification. */
  readonly span: number;
  readonly levels: readonly QueueLevel[];
  /** The contribution that would be verified next if the node chose now, and the reason. */
  readonly next: Omit<Explanation, 'levels'>;
  /** Contributions being verified: none, one, or a batch. */
  readonly checking: readonly QueueCheck[];
  /**
   * Reason for the current verification, and the alternatives at the time of the choice; undefined while nothing is
   * being verified.
   */
  readonly choice: Explanation | undefined;
  /** Latest verdicts, in order from newest to oldest. */
  readonly verdicts: readonly QueueVerdict[];
}

/** Maximum number of stored verdicts. */
const maxVerdicts = 8;

/**
 * Computes data that a recording does not contain: a node's queues, ranks, windows and scores at any time in a run of
 * Handel. The replay repeats the run up to the requested time. For a later time, the replay continues; for an earlier
 * time, it starts again.
 */
export class QueueReplay {
  readonly #scenario: Scenario;
  readonly #node: number;
  /** Digest of the whole run, for comparison with the run to be shown. */
  readonly digest: string;
  /** Times at which the run's events were handled, µs, ascending. */
  readonly #eventsUs: Float64Array;
  #simulation: Simulation;
  /** Number of handled events of the current simulation. */
  #handled = 0;
  /** The followed node; a node that loses its state is replaced. */
  #followed: HandelNode | undefined;
  /** Contributions that the node was verifying after the last event. */
  #asked: readonly Choice[] = [];
  /** Contributions being verified, with their future verdicts. */
  #checking: readonly (QueueCheck & { readonly valid: boolean })[] = [];
  /** The node's report of its last choice. */
  #choice: Explanation | undefined;
  /** Per level: the weight of In_l at the start of the verification. */
  readonly #inWeights: number[] = [];
  /** Per level: the size of the window at the start of the verification. */
  readonly #windows: number[] = [];
  /** Latest verdicts, from oldest to newest. */
  #verdicts: QueueVerdict[] = [];

  /**
   * Runs the scenario once to its end.
   *
   * @param scenario a scenario that uses Handel. The replay only counts the scenario's signatures, which produces the
   * same run.
   * @param node id of the node, 0 to N - 1.
   * @throws TypeError for anything but a scenario; RangeError for another protocol, or an unknown node.
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

  /** Returns the queues after all events up to `timeUs`; undefined if the node is dead or Byzantine. */
  at(timeUs: number): VerificationQueue | undefined {
    const wanted = countUntil(this.#eventsUs, timeUs);
    if (wanted < this.#handled) this.#restart();
    this.#follow();
    while (this.#handled < wanted) {
      const { events } = this.#simulation;
      this.#simulation.advance(1);
      // A message that is waiting for a shared core is not yet an event.
      if (this.#simulation.events === events) continue;
      this.#handled++;
      this.#follow();
    }
    const node = this.#simulation.handelNode(this.#node);
    if (node === undefined) return undefined;
    const { state } = node.inspector;
    const { levels, ...next } = explainState(state);
    return {
      node: this.#node,
      timeUs,
      span: state.priorities.span,
      levels: levels.map((level) => queueLevel(state, level)),
      next,
      checking: this.#checking.map(({ valid: _, ...check }) => check),
      choice: this.#checking.length > 0 ? this.#choice : undefined,
      verdicts: this.#verdicts.toReversed(),
    };
  }

  #restart(): void {
    this.#simulation = createSimulation(this.#scenario);
    this.#handled = 0;
    this.#followed = undefined;
    this.#verdicts = [];
  }

  /** Records the results of verifications, derived from the node's state before and after the event. */
  #follow(): void {
    const node = this.#simulation.handelNode(this.#node);
    if (node === undefined) return;
    if (node !== this.#followed) {
      this.#followed = node;
      this.#asked = [];
      this.#checking = [];
      node.onChoice = (choice) => {
        this.#choice = choice;
      };
      this.#remember(node.inspector.state);
    }
    const { state, checking } = node.inspector;
    if (checking === this.#asked) return;
    for (const done of this.#checking) {
      const [windowBefore, windowAfter] = [this.#windows[done.level]!, state.levels.window(done.level)];
      const adds = state.levels.inWeight(done.level) - this.#inWeights[done.level]!;
      this.#verdicts.push({ ...done, timeUs: this.#simulation.nowUs, adds, windowBefore, windowAfter });
      if (this.#verdicts.length > maxVerdicts) this.#verdicts.shift();
    }
    this.#asked = checking;
    this.#checking = checking.map(({ level, sender, isIndividual, contribution }) => {
      const weight = state.scheme.weight(contribution);
      return { level, sender, weight, isIndividual, valid: state.scheme.verify(contribution) };
    });
    this.#remember(state);
  }

  #remember({ levels }: HandelState): void {
    for (let level = 1; level <= levels.count; level++) {
      this.#inWeights[level] = levels.inWeight(level);
      this.#windows[level] = levels.window(level);
    }
  }
}

function queueLevel({ pending }: HandelState, { entries, ...level }: ExplainedLevel): QueueLevel {
  const items: QueueItem[] = entries.map((entry) => ({ ...entry, place: placeOf(entry) }));
  const dormant = pending.run(level.level, List.dormant);
  for (let place = pending.countOf(dormant) - 1; place >= 0; place--) {
    const sender = pending.senderIn(dormant, place);
    const nothing = { rank: 0, score: level.inWeight, adds: 0, weight: 0, hasIndividual: true } as const;
    items.push({ sender, ...nothing, place: 'dormant' });
  }
  return { ...level, items };
}

function placeOf({ place, hasIndividual }: ExplainedEntry): QueuePlace {
  if (place !== 'useless') return place;
  return hasIndividual ? 'aside' : 'pruned';
}

/** Returns how many of the given times, in ascending order, are at or before `timeUs`. */
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
