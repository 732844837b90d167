import { RandomStream } from '@tutti/core';
import { expected, oneOf, requireArray, requireIn, requireInteger, requireObject } from '@tutti/core/input';
import { isolatePlan } from '../../attacks/composedAttacks.ts';
import { type AttackPlan, planText, readPlan } from '../../attacks/composition.ts';
import type { RunResult } from '../../scenario/result.ts';
import { defaultScenario, type Scenario, validateScenario } from '../../scenario/scenario.ts';
import { changedComposition, changedPlacement, drawOne, randomComposition, randomPlacement } from './draw.ts';

/**
 * Measures of an attack: the mean time until the honest nodes reach the threshold, or the time until the last honest
 * node reaches it. By either measure, an attack that leaves more nodes stuck is worse.
 */
export const searchObjectives = ['mean', 'last'] as const;
/** One of {@link searchObjectives}. */
export type SearchObjective = (typeof searchObjectives)[number];

/** Rules for ids: drawn by seed, as with the global shuffle, or chosen by the attacker. */
export const idRules = ['drawn', 'chosen'] as const;
/** One of {@link idRules}. */
export type IdRule = (typeof idRules)[number];

/** Options of an {@link AttackSearch}. */
export interface AttackSearchOptions {
  /** Number of nodes N. */
  readonly nodes: number;
  /** Attackers' share of all nodes, or of the weight if `world.attackBy` says so, 0 to less than 1. */
  readonly share: number;
  /** Seed of the search and of the runs. */
  readonly seed: number;
  /** Measure of an attack. Default: `mean`. */
  readonly objective?: SearchObjective;
  /** Rule for ids. With `chosen`, the search tries attacks with drawn and with chosen ids. Default: `drawn`. */
  readonly ids?: IdRule;
  /**
   * Costs of a check on a standard node, ms. The list has at least one cost, and the search tries each cost. Default:
   * the default scenario's cost.
   */
  readonly verifyMs?: readonly number[];
  /**
   * Initial plans, tried at each cost of a check. With drawn ids, the search skips plans that choose ids. Default:
   * none.
   */
  readonly from?: readonly string[];
  /**
   * Further differences from the default scenario: network, threshold, weights, how priorities are drawn if weights
   * differ, and the meaning of the share.
   */
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
  /** Worst attacks reported so far, at most five, in order from the worst. */
  readonly worst: readonly Tried[];
}

/** Maximum number of a class's worst plans that are stored for variation. */
const maxWorst = 5;

/** One in this many plans is drawn at random; the other plans are variations of the worst ones. */
const newDraws = 3;

/** One in this many changes concerns the nodes' positions, if these can be chosen. */
const placementChanges = 3;

/** One in this many changes concerns the cost of a check, if several costs are given. */
const costChanges = 6;

/**
 * Virtual time after which a run of the search is stopped, ms. Nodes that have not reached the threshold by then count
 * as stuck.
 */
export const searchPatienceMs = 20_000;

/**
 * A search for the attack that delays honest nodes most, by hill climbing: plans are drawn, and the worst plans are
 * changed in small steps. A change concerns the nodes' messages, their positions, or the cost of a check. Changes of
 * the positions or the cost lead to another class of attacks; the worst attacks of each class are stored separately.
 *
 * The search has no clock and runs nothing: it proposes plans and records their results. The seed and the number of
 * plans therefore determine a search on any machine.
 */
export class AttackSearch {
  readonly #options: Required<AttackSearchOptions>;
  readonly #classes: readonly (SearchClass & { readonly worst: Tried[] })[];
  readonly #random: RandomStream;
  /** Initial trials that have not been proposed yet. */
  readonly #initial: Trial[];
  /** Plans and costs of the proposed trials. */
  readonly #proposed = new Set<string>();
  #tried = 0;

  /**
   * @throws RangeError for an unknown measure or rule, an invalid plan in `from`, or options that do not give a valid
   * scenario; TypeError for other types.
   */
  constructor(options: AttackSearchOptions) {
    requireObject('options', options);
    const { objective = 'mean', ids = 'drawn', verifyMs = [defaultScenario.verifyMs], from = [], world = {} } = options;
    this.#options = { ...options, objective, ids, verifyMs, from, world };
    requireIn('objective', objective, oneOf(searchObjectives));
    requireIn('ids', ids, oneOf(idRules));
    requireArray('verifyMs', verifyMs);
    requireArray('from', from);
    if (verifyMs.length === 0) throw new RangeError(expected('verifyMs', 'at least one cost of a check', verifyMs));
    const plan = ids === 'chosen' ? isolatePlan : '-';
    for (const cost of verifyMs) validateScenario(this.scenario({ plan, verifyMs: cost }));
    this.#random = new RandomStream(options.seed, 'attack search');
    const plans = from.map((text) => readPlan(text)).filter((plan) => this.#allows(idsOf(plan)));
    this.#initial = plans.flatMap((plan) => verifyMs.map((cost) => ({ plan: planText(plan), verifyMs: cost })));
    this.#classes = idRules
      .filter((rule) => this.#allows(rule))
      .flatMap((rule) => verifyMs.map((cost) => ({ ids: rule, verifyMs: cost, worst: [] })));
  }

  /** Results of each class, drawn ids first. */
  get classes(): readonly SearchClass[] {
    return this.#classes;
  }

  /** Number of recorded results. */
  get tried(): number {
    return this.#tried;
  }

  /** Returns the given number of plans not proposed before. @throws RangeError for a negative number. */
  propose(count: number): readonly Trial[] {
    requireInteger('count', count, 0, 2 ** 31 - 1);
    return Array.from({ length: count }, () => this.#next());
  }

  /** Records the results of plans. Among equal results, the earlier one counts as worse. */
  learn(results: readonly Tried[]): void {
    requireArray('results', results);
    for (const tried of results) {
      this.#tried++;
      const ids = idsOf(readPlan(tried.plan));
      this.#classes.find((one) => one.ids === ids && one.verifyMs === tried.verifyMs)?.worst.push(tried);
    }
    const measure = this.#options.objective === 'mean' ? 'meanMs' : 'maxMs';
    for (const { worst } of this.#classes) {
      worst.sort((a, b) => b.stuck - a.stuck || b[measure] - a[measure]);
      worst.length = Math.min(worst.length, maxWorst);
    }
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
    const { share } = this.#options;
    return { ...this.#world(verifyMs), backOff: false, attacks: [{ name: 'silent', share }] };
  }

  #world(verifyMs: number): Scenario {
    const { nodes, seed, world } = this.#options;
    return { ...defaultScenario, ...world, nodes, seed, verifyMs };
  }

  #allows(ids: IdRule): boolean {
    return ids === 'drawn' || this.#options.ids === 'chosen';
  }

  #next(): Trial {
    for (;;) {
      const trial = this.#initial.shift() ?? this.#draw();
      const name = `${trial.verifyMs}:${trial.plan}`;
      if (this.#proposed.has(name)) continue;
      this.#proposed.add(name);
      return trial;
    }
  }

  /** Draws a new plan, or changes one of the worst plans up to three times. */
  #draw(): Trial {
    const random = this.#random;
    const worst = this.#classes.map((one) => one.worst).filter(({ length }) => length > 0);
    if (worst.length === 0 || random.nextBelow(newDraws) === 0) {
      const { ids, verifyMs } = drawOne(random, this.#classes);
      const placement = ids === 'chosen' ? randomPlacement(random) : undefined;
      return { plan: planText({ placement, composition: randomComposition(random) }), verifyMs };
    }
    let trial: Trial = drawOne(random, drawOne(random, worst));
    for (let changes = 1 + random.nextBelow(3); changes > 0; changes--) trial = this.#changed(trial);
    return trial;
  }

  #changed({ plan: text, verifyMs }: Trial): Trial {
    const random = this.#random;
    const costs = this.#options.verifyMs;
    if (costs.length > 1 && random.nextBelow(costChanges) === 0)
      return { plan: text, verifyMs: drawOne(random, costs) };
    const plan = readPlan(text);
    const made: AttackPlan =
      this.#allows('chosen') && random.nextBelow(placementChanges) === 0
        ? { ...plan, placement: changedPlacement(plan.placement, random) }
        : { ...plan, composition: changedComposition(plan.composition, random) };
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
