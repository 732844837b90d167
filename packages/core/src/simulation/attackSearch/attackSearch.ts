import { type Composition, compositionText, readComposition } from '../../adversary/composition.ts';
import { requireArray, requireObject } from '../../errors.ts';
import { RandomStream } from '../../random.ts';
import type { RunResult } from '../result.ts';
import { defaultScenario, type Scenario } from '../scenario.ts';
import { changed, randomComposition } from './draw.ts';

export interface AttackSearchOptions {
  readonly nodes: number;
  /** Of all nodes, in (0, 1). */
  readonly share: number;
  /** Of what is drawn, and of the runs. */
  readonly seed: number;
  /** Plans to begin with. */
  readonly from?: readonly string[];
}

/** The result of an attack that was tried. */
export interface Tried {
  readonly plan: string;
  /** Honest nodes that never reached the threshold. */
  readonly stuck: number;
  /** Over the honest nodes, ms. */
  readonly meanMs: number;
  readonly maxMs: number;
}

/** So many of the worst are kept, to be made worse. */
const kept = 5;

/** One in this many plans is drawn at random; the others are variations of the worst ones. */
const drawnAnew = 3;

/** How long an honest node is waited for, ms of virtual time: twenty times as long as the known attacks take. */
export const searchPatienceMs = 20_000;

/**
 * A search for the level-by-level attack that slows honest nodes most: plans are drawn, and the worst of them are
 * changed a little at a time (hill climbing). It owns no clock and runs nothing: it proposes plans and is told the
 * results. So one seed and one number of plans give one search, on any machine and whatever runs the plans.
 */
export class AttackSearch {
  readonly #options: AttackSearchOptions;
  readonly #random: RandomStream;
  readonly #seen = new Set<string>();
  readonly #ahead: string[];
  readonly #worst: Tried[] = [];
  #tried = 0;

  /** @throws TypeError for options that are none; RangeError for an invalid plan in `from`. */
  constructor(options: AttackSearchOptions) {
    requireObject('options', options);
    this.#options = options;
    this.#random = new RandomStream(options.seed, 'attack search');
    this.#ahead = (options.from ?? []).map((plan) => compositionText(readComposition(plan)));
  }

  /** The worst attacks reported so far, the worst first. */
  get worst(): readonly Tried[] {
    return this.#worst;
  }

  get tried(): number {
    return this.#tried;
  }

  /** So many plans that were not proposed before. */
  propose(count: number): readonly string[] {
    return Array.from({ length: count }, () => this.#next());
  }

  /** The run that shows what a plan comes to. */
  scenario(plan: string): Scenario {
    const { nodes, share, seed } = this.#options;
    return { ...defaultScenario, nodes, seed, attacks: [{ name: 'across-levels', share, plan }] };
  }

  /** What came of plans, in the order in which they were proposed. */
  learn(results: readonly Tried[]): void {
    requireArray('results', results);
    for (const tried of results) {
      this.#tried++;
      this.#worst.push(tried);
    }
    this.#worst.sort((a, b) => b.stuck - a.stuck || b.meanMs - a.meanMs);
    this.#worst.length = Math.min(this.#worst.length, kept);
  }

  #next(): string {
    const given = this.#ahead.shift();
    if (given !== undefined) {
      this.#seen.add(given);
      return given;
    }
    while (true) {
      const plan = compositionText(this.#draw());
      if (this.#seen.has(plan)) continue;
      this.#seen.add(plan);
      return plan;
    }
  }

  #draw(): Composition {
    const random = this.#random;
    if (this.#worst.length === 0 || random.nextBelow(drawnAnew) === 0) return randomComposition(random);
    let plan = readComposition(this.#worst[random.nextBelow(this.#worst.length)]!.plan);
    for (let changes = 1 + random.nextBelow(3); changes > 0; changes--) plan = changed(plan, random);
    return plan;
  }
}

/** The result of a plan's run. */
export function triedAs(plan: string, result: RunResult): Tried {
  requireObject('result', result);
  const { live, reached, timeToThresholdMs } = result;
  return { plan, stuck: live - reached, meanMs: timeToThresholdMs.mean, maxMs: timeToThresholdMs.max };
}
