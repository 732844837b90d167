import type { RandomStream } from '@tutti/core';
import { requireArray } from '@tutti/core/input';
import { oneOf } from './draw.ts';

/** The space of a search: trials that can be drawn, changed slightly, and compared by their results. */
export interface Hill<Trial, Tried extends Trial> {
  /** Initial trials. */
  readonly from: readonly Trial[];
  /** Number of classes. Trials are compared only within their class, numbered from 0. */
  readonly classes: number;
  classOf(trial: Trial): number;
  /** Returns a name that is equal for equal trials. */
  nameOf(trial: Trial): string;
  draw(random: RandomStream): Trial;
  /** Returns the trial with at most one change. */
  changed(trial: Trial, random: RandomStream): Trial;
  /** Returns a negative number if `a` harms the victims more than `b`. */
  order(a: Tried, b: Tried): number;
}

/** Number of the worst trials of a class that are stored for variation. */
const maxWorst = 5;

/** One in this many trials is drawn at random; the other trials are variations of the worst ones. */
const drawnAnew = 3;

/** Number of consecutive repeated trials after which the search assumes that no new trials remain. */
const maxRepeats = 1000;

/**
 * Hill climbing: trials are drawn, and the worst trials are changed in small steps. The search has no clock and runs
 * nothing: it proposes trials and records their results. The seed and the number of trials therefore determine a search
 * on any machine.
 */
export class HillClimb<Trial, Tried extends Trial> {
  readonly #hill: Hill<Trial, Tried>;
  readonly #random: RandomStream;
  /** Names of the proposed trials. */
  readonly #seen = new Set<string>();
  /** Initial trials that are not proposed yet. */
  readonly #ahead: Trial[];
  readonly #worst: Tried[][];
  #tried = 0;

  constructor(hill: Hill<Trial, Tried>, random: RandomStream) {
    this.#hill = hill;
    this.#random = random;
    this.#ahead = [...hill.from];
    this.#worst = Array.from({ length: hill.classes }, () => []);
  }

  /** Worst trials by class, the worst first. */
  get worst(): readonly (readonly Tried[])[] {
    return this.#worst;
  }

  /** Number of results recorded. */
  get tried(): number {
    return this.#tried;
  }

  /** Returns the given number of trials not proposed before; fewer if no more exist. */
  propose(count: number): readonly Trial[] {
    return Array.from({ length: count }, () => this.#next()).filter((trial) => trial !== undefined);
  }

  /** Records the results of trials, in the order in which the trials were proposed. */
  learn(results: readonly Tried[]): void {
    requireArray('results', results);
    for (const tried of results) {
      this.#tried++;
      this.#worst[this.#hill.classOf(tried)]?.push(tried);
    }
    for (const worst of this.#worst) {
      worst.sort((a, b) => this.#hill.order(a, b));
      worst.length = Math.min(worst.length, maxWorst);
    }
  }

  #next(): Trial | undefined {
    for (let repeats = 0; repeats < maxRepeats; repeats++) {
      const trial = this.#ahead.shift() ?? this.#draw();
      const name = this.#hill.nameOf(trial);
      if (this.#seen.has(name)) continue;
      this.#seen.add(name);
      return trial;
    }
    return undefined;
  }

  #draw(): Trial {
    const random = this.#random;
    const begun = this.#worst.filter((worst) => worst.length > 0);
    if (begun.length === 0 || random.nextBelow(drawnAnew) === 0) return this.#hill.draw(random);
    let trial: Trial = oneOf(random, oneOf(random, begun));
    for (let changes = 1 + random.nextBelow(3); changes > 0; changes--) trial = this.#hill.changed(trial, random);
    return trial;
  }
}
