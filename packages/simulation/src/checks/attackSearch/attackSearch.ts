import { RandomStream } from '@tutti/core';
import { expected, requireObject } from '@tutti/core/input';
import { type AttackPlan, planText, readPlan } from '../../attacks/composition.ts';
import type { RunResult } from '../../scenario/result.ts';
import { defaultScenario, type Scenario, validateScenario } from '../../scenario/scenario.ts';
import { changed, movedPlacement, oneOf, randomComposition, randomPlacement } from './draw.ts';
import { type Hill, HillClimb } from './hillClimb.ts';

/** Measures of an attack: the mean time until the honest nodes reach the threshold, or the time of the last one. */
export const searchObjectives = ['mean', 'last'] as const;
/** One of {@link searchObjectives}. */
export type SearchObjective = (typeof searchObjectives)[number];

/** Rules for ids: drawn by seed, as with the global shuffle, or chosen by the attacker. */
export const idRules = ['drawn', 'chosen'] as const;
/** One of {@link idRules}. */
export type IdRule = (typeof idRules)[number];

/** Options of an {@link AttackSearch}. */
export interface AttackSearchOptions {
  readonly nodes: number;
  /** Attackers' share of all nodes, in (0, 1). */
  readonly share: number;
  /** Seed of the search and of the runs. */
  readonly seed: number;
  /** Measure of an attack. Default: `mean`. */
  readonly objective?: SearchObjective;
  /** Rule for ids. With `chosen`, the search tries attacks with drawn and with chosen ids. Default: `drawn`. */
  readonly ids?: IdRule;
  /**
   * Range of a check's cost on a standard node, ms; the search varies the cost within it. Default: 4, as in the default
   * scenario.
   */
  readonly verifyMs?: readonly number[];
  /** Initial plans, tried at each cost of a check. */
  readonly from?: readonly string[];
  /** Further differences from the default scenario: network, threshold, weights and the meaning of the share. */
  readonly world?: Partial<SearchWorld>;
}

/** Fields of a scenario that a search may change. */
export type SearchWorld = Pick<Scenario, 'network' | 'threshold' | 'weights' | 'prioritiesBy' | 'attackBy'>;

/** An attack to try, with the cost of a check, ms. */
export interface Trial {
  readonly plan: string;
  readonly verifyMs: number;
}

/** Result of a tried attack. */
export interface Tried extends Trial {
  /** Number of honest nodes that did not reach the threshold before the run was stopped. */
  readonly stuck: number;
  /** Mean time until an honest node reached the threshold, ms. */
  readonly meanMs: number;
  /** Time until the last honest node reached the threshold, ms. */
  readonly maxMs: number;
}

/** Attacks that are comparable: the same rule for ids, and the same cost of a check. */
export interface SearchClass {
  readonly ids: IdRule;
  readonly verifyMs: number;
  /** Attacks reported so far, the worst first. */
  readonly worst: readonly Tried[];
}

/**
 * One in this many changes concerns the nodes' positions (`placementChanges`) or the cost of a check (`costChanges`),
 * if these can be chosen.
 */
const placementChanges = 3;
const costChanges = 6;

/** Virtual time after which a run of the search is stopped, ms. Nodes without the threshold count as stuck. */
export const searchPatienceMs = 20_000;

/**
 * A search for the attack that delays honest nodes most. A change concerns the nodes' messages, their positions, or the
 * cost of a check. Changes of the positions or the cost lead to another class of attacks; the worst attacks of each
 * class are stored separately.
 */
export class AttackSearch {
  readonly #options: Required<AttackSearchOptions>;
  readonly #climb: HillClimb<Trial, Tried>;
  readonly #classes: readonly Pick<SearchClass, 'ids' | 'verifyMs'>[];

  /** @throws RangeError for an invalid plan in `from`, or options that make no valid scenario; TypeError for other types. */
  constructor(options: AttackSearchOptions) {
    requireObject('options', options);
    const { objective = 'mean', ids = 'drawn', verifyMs = [defaultScenario.verifyMs], from = [], world = {} } = options;
    this.#options = { ...options, objective, ids, verifyMs, from, world };
    if (verifyMs.length === 0) throw new RangeError(expected('verifyMs', 'at least one cost of a check', verifyMs));
    for (const cost of verifyMs) validateScenario(this.silence(cost));
    const plans = from.map((text) => readPlan(text)).filter((plan) => this.#allows(idsOf(plan)));
    this.#classes = idRules
      .filter((rule) => this.#allows(rule))
      .flatMap((rule) => verifyMs.map((cost) => ({ ids: rule, verifyMs: cost })));
    const measure = ({ meanMs, maxMs }: Tried): number => (objective === 'mean' ? meanMs : maxMs);
    const hill: Hill<Trial, Tried> = {
      from: plans.flatMap((plan) => verifyMs.map((cost) => ({ plan: planText(plan), verifyMs: cost }))),
      classes: this.#classes.length,
      classOf: (trial) => {
        const ids = idsOf(readPlan(trial.plan));
        return this.#classes.findIndex((one) => one.ids === ids && one.verifyMs === trial.verifyMs);
      },
      nameOf: (trial) => `${trial.verifyMs}:${trial.plan}`,
      draw: (random) => this.#draw(random),
      changed: (trial, random) => this.#changed(trial, random),
      order: (a, b) => b.stuck - a.stuck || measure(b) - measure(a),
    };
    this.#climb = new HillClimb(hill, new RandomStream(options.seed, 'attack search'));
  }

  /** Results of each class, drawn ids first. */
  get classes(): readonly SearchClass[] {
    return this.#classes.map((of, at) => ({ ...of, worst: this.#climb.worst[at]! }));
  }

  /** Number of results recorded. */
  get tried(): number {
    return this.#climb.tried;
  }

  /** Returns the given number of plans not proposed before; fewer if no more exist. */
  propose(count: number): readonly Trial[] {
    return this.#climb.propose(count);
  }

  /** Returns the scenario that measures a plan. */
  scenario({ plan, verifyMs }: Trial): Scenario {
    const { share } = this.#options;
    return { ...this.#world(verifyMs), attacks: [{ name: 'across-levels', share, plan }] };
  }

  /**
   * Returns the scenario for comparison with a plan: the same number of Byzantine nodes, drawn by seed and silent.
   * Back-off is off, since back-off may delay honest nodes.
   */
  silence(verifyMs: number): Scenario {
    return {
      ...this.#world(verifyMs),
      backOff: false,
      attacks: [{ name: 'silent', share: this.#options.share }],
    };
  }

  #world(verifyMs: number): Scenario {
    const { nodes, seed, world } = this.#options;
    return { ...defaultScenario, ...world, nodes, seed, verifyMs };
  }

  /** Records the results of plans, in the order of the proposals; among equal results, the earlier one counts as worse. */
  learn(results: readonly Tried[]): void {
    this.#climb.learn(results);
  }

  #allows(ids: IdRule): boolean {
    return ids === 'drawn' || this.#options.ids === 'chosen';
  }

  #draw(random: RandomStream): Trial {
    const { ids, verifyMs } = oneOf(random, this.#classes);
    const placement = ids === 'chosen' ? randomPlacement(random) : undefined;
    return { plan: planText({ placement, composition: randomComposition(random) }), verifyMs };
  }

  #changed({ plan: text, verifyMs }: Trial, random: RandomStream): Trial {
    const costs = this.#options.verifyMs;
    if (costs.length > 1 && random.nextBelow(costChanges) === 0) return { plan: text, verifyMs: oneOf(random, costs) };
    const plan = readPlan(text);
    const made: AttackPlan =
      this.#allows('chosen') && random.nextBelow(placementChanges) === 0
        ? { ...plan, placement: movedPlacement(plan.placement, random) }
        : { ...plan, composition: changed(plan.composition, random) };
    return { plan: planText(made), verifyMs };
  }
}

function idsOf({ placement }: AttackPlan): IdRule {
  return placement === undefined ? 'drawn' : 'chosen';
}

/** Returns the result of a trial from its run. */
export function triedAs(trial: Trial, result: RunResult): Tried {
  requireObject('result', result);
  const { live, reached, timeToThresholdMs } = result;
  return { ...trial, stuck: live - reached, meanMs: timeToThresholdMs.mean, maxMs: timeToThresholdMs.max };
}
