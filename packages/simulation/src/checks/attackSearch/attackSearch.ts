import { RandomStream } from '@tutti/core';
import { requireObject } from '@tutti/core/settings';
import { type AttackPlan, planText, readPlan } from '../../attacks/composition.ts';
import type { RunResult } from '../../scenario/result.ts';
import { defaultScenario, type Scenario } from '../../scenario/scenario.ts';
import { changed, movedPlacement, oneOf, randomComposition, randomPlacement } from './draw.ts';
import { type Hill, HillClimb } from './hillClimb.ts';

/** What makes an attack worse: a greater mean time of the honest nodes, or a later last one. */
export const searchObjectives = ['mean', 'last'] as const;
export type SearchObjective = (typeof searchObjectives)[number];

/** Whether ids are drawn by seed, as the global shuffle has it, or the attacker chooses its own. */
export const idRules = ['drawn', 'chosen'] as const;
export type IdRule = (typeof idRules)[number];

export interface AttackSearchOptions {
  readonly nodes: number;
  /** Of all nodes, in (0, 1). */
  readonly share: number;
  /** Of what is drawn, and of the runs. */
  readonly seed: number;
  /** Default `mean`. */
  readonly objective?: SearchObjective;
  /** With `chosen`, attacks by ids that are drawn and by chosen ones. Default `drawn`. */
  readonly ids?: IdRule;
  /** What a check may cost on a standard node, ms; the search moves between these. Default the scenario's 4. */
  readonly verifyMs?: readonly number[];
  /** Plans to begin with, at each cost of a check. */
  readonly from?: readonly string[];
  /** What else differs from the default scenario: what nodes weigh, of what the share is, the threshold. */
  readonly world?: Partial<SearchWorld>;
}

export type SearchWorld = Pick<Scenario, 'threshold' | 'weights' | 'prioritiesBy' | 'attackBy'>;

/** An attack to try, and the cost of a check to try it at, ms. */
export interface Trial {
  readonly plan: string;
  readonly verifyMs: number;
}

/** The result of an attack that was tried. */
export interface Tried extends Trial {
  /** Honest nodes that never reached the threshold. */
  readonly stuck: number;
  /** Over the honest nodes, ms. */
  readonly meanMs: number;
  readonly maxMs: number;
}

/** Attacks that are compared with each other alone: by ids alike, at one cost of a check. */
export interface SearchClass {
  readonly ids: IdRule;
  readonly verifyMs: number;
  /** Those reported so far, the worst first. */
  readonly worst: readonly Tried[];
}

/** One change in this many is of where nodes are, and of what a check costs, where these can be chosen. */
const placementChanges = 3;
const costChanges = 6;

/** How long an honest node is waited for, ms of virtual time: twenty times as long as the known attacks take. */
export const searchPatienceMs = 20_000;

/**
 * A search for the attack that slows honest nodes most. A change is of what the nodes send, of where they are, or of what
 * a check costs; the latter two lead to another class of attacks, whose worst are kept apart.
 */
export class AttackSearch {
  readonly #options: Required<AttackSearchOptions>;
  readonly #climb: HillClimb<Trial, Tried>;
  readonly #classes: readonly Pick<SearchClass, 'ids' | 'verifyMs'>[];

  /** @throws TypeError for invalid options; RangeError for an invalid plan in `from`. */
  constructor(options: AttackSearchOptions) {
    requireObject('options', options);
    const { objective = 'mean', ids = 'drawn', verifyMs = [defaultScenario.verifyMs], from = [], world = {} } = options;
    this.#options = { ...options, objective, ids, verifyMs, from, world };
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

  /** What was found in each class, ids that are drawn first. */
  get classes(): readonly SearchClass[] {
    return this.#classes.map((of, at) => ({ ...of, worst: this.#climb.worst[at]! }));
  }

  get tried(): number {
    return this.#climb.tried;
  }

  /** So many plans that were not proposed before. */
  propose(count: number): readonly Trial[] {
    return this.#climb.propose(count);
  }

  /** The run that shows what a plan comes to. */
  scenario({ plan, verifyMs }: Trial): Scenario {
    const { share } = this.#options;
    return { ...this.#world(verifyMs), attacks: [{ name: 'across-levels', share, plan }] };
  }

  /** Scenario that a plan is compared with: as many nodes, drawn and silent. Back-off is off, since it may delay them. */
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

  /** What came of plans, in the order in which they were proposed. */
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

/** The result of a trial's run. */
export function triedAs(trial: Trial, result: RunResult): Tried {
  requireObject('result', result);
  const { live, reached, timeToThresholdMs } = result;
  return { ...trial, stuck: live - reached, meanMs: timeToThresholdMs.mean, maxMs: timeToThresholdMs.max };
}
