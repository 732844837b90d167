import { RandomStream } from '@tutti/core';
import { requireArray, requireObject } from '@tutti/core/internal';
import { type AttackPlan, planText, readPlan } from '../../attacks/plan.ts';
import type { RunResult } from '../../scenario/result.ts';
import { defaultScenario, type Scenario } from '../../scenario/scenario.ts';
import { changed, movedPlacement, oneOf, randomComposition, randomPlacement } from './draw.ts';

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
}

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

/** So many of the worst of a class are kept, to be made worse. */
const kept = 5;

/** One in this many plans is drawn at random; the others are variations of the worst ones. */
const drawnAnew = 3;

/** One change in this many is of where nodes are, and of what a check costs, where these can be chosen. */
const placementChanges = 3;
const costChanges = 6;

/** How long an honest node is waited for, ms of virtual time: twenty times as long as the known attacks take. */
export const searchPatienceMs = 20_000;

/**
 * A search for the attack that slows honest nodes most: plans are drawn, and the worst of them are changed a little at
 * a time (hill climbing). A change is of what the nodes send, of where they are, or of what a check costs; the latter
 * two lead to another class of attacks, whose worst are kept apart. It owns no clock and runs nothing: it proposes
 * plans and is told the results. So one seed and one number of plans give one search, on any machine and whatever runs
 * the plans.
 */
export class AttackSearch {
  readonly #options: Required<AttackSearchOptions>;
  readonly #random: RandomStream;
  readonly #seen = new Set<string>();
  readonly #ahead: Trial[];
  readonly #classes: (SearchClass & { readonly worst: Tried[] })[];
  #tried = 0;

  /** @throws TypeError for invalid options; RangeError for an invalid plan in `from`. */
  constructor(options: AttackSearchOptions) {
    requireObject('options', options);
    const { objective = 'mean', ids = 'drawn', verifyMs = [defaultScenario.verifyMs], from = [] } = options;
    this.#options = { ...options, objective, ids, verifyMs, from };
    this.#random = new RandomStream(options.seed, 'attack search');
    const plans = from.map((text) => readPlan(text)).filter((plan) => this.#allows(idsOf(plan)));
    this.#ahead = plans.flatMap((plan) => verifyMs.map((cost) => ({ plan: planText(plan), verifyMs: cost })));
    this.#classes = idRules
      .filter((rule) => this.#allows(rule))
      .flatMap((rule) => verifyMs.map((cost) => ({ ids: rule, verifyMs: cost, worst: [] })));
  }

  /** What was found in each class, ids that are drawn first. */
  get classes(): readonly SearchClass[] {
    return this.#classes;
  }

  get tried(): number {
    return this.#tried;
  }

  /** So many plans that were not proposed before. */
  propose(count: number): readonly Trial[] {
    return Array.from({ length: count }, () => this.#next());
  }

  /** The run that shows what a plan comes to. */
  scenario({ plan, verifyMs }: Trial): Scenario {
    const { nodes, share, seed } = this.#options;
    return { ...defaultScenario, nodes, seed, verifyMs, attacks: [{ name: 'across-levels', share, plan }] };
  }

  /** What came of plans, in the order in which they were proposed. */
  learn(results: readonly Tried[]): void {
    requireArray('results', results);
    for (const tried of results) {
      this.#tried++;
      const ids = idsOf(readPlan(tried.plan));
      this.#classes.find((one) => one.ids === ids && one.verifyMs === tried.verifyMs)?.worst.push(tried);
    }
    const measure = ({ meanMs, maxMs }: Tried): number => (this.#options.objective === 'mean' ? meanMs : maxMs);
    for (const { worst } of this.#classes) {
      worst.sort((a, b) => b.stuck - a.stuck || measure(b) - measure(a));
      worst.length = Math.min(worst.length, kept);
    }
  }

  #allows(ids: IdRule): boolean {
    return ids === 'drawn' || this.#options.ids === 'chosen';
  }

  #next(): Trial {
    while (true) {
      const trial = this.#ahead.shift() ?? this.#draw();
      const name = `${trial.verifyMs}:${trial.plan}`;
      if (this.#seen.has(name)) continue;
      this.#seen.add(name);
      return trial;
    }
  }

  #draw(): Trial {
    const random = this.#random;
    const begun = this.#classes.filter(({ worst }) => worst.length > 0);
    if (begun.length === 0 || random.nextBelow(drawnAnew) === 0) {
      const { ids, verifyMs } = oneOf(random, this.#classes);
      const placement = ids === 'chosen' ? randomPlacement(random) : undefined;
      return { plan: planText({ placement, composition: randomComposition(random) }), verifyMs };
    }
    const from = oneOf(random, oneOf(random, begun).worst);
    let plan = readPlan(from.plan);
    let { verifyMs } = from;
    for (let changes = 1 + random.nextBelow(3); changes > 0; changes--) {
      if (this.#options.verifyMs.length > 1 && random.nextBelow(costChanges) === 0)
        verifyMs = oneOf(random, this.#options.verifyMs);
      else plan = this.#changed(plan);
    }
    return { plan: planText(plan), verifyMs };
  }

  #changed(plan: AttackPlan): AttackPlan {
    const random = this.#random;
    return this.#allows('chosen') && random.nextBelow(placementChanges) === 0
      ? { ...plan, placement: movedPlacement(plan.placement, random) }
      : { ...plan, composition: changed(plan.composition, random) };
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
