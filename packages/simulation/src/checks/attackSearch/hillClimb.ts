import type { RandomStream } from '@tutti/core';
import { requireArray } from '@tutti/core/settings';
import { oneOf } from './draw.ts';

/** What a search looks among: trials of which one can be drawn, changed a little, and compared by what came of it. */
export interface Hill<Trial, Tried extends Trial> {
  /** Trials to begin with. */
  readonly from: readonly Trial[];
  /** Trials are compared with those of their class alone, 0 to this. */
  readonly classes: number;
  classOf(trial: Trial): number;
  /** Equal for trials that are the same. */
  nameOf(trial: Trial): string;
  draw(random: RandomStream): Trial;
  /** With one thing changed. */
  changed(trial: Trial, random: RandomStream): Trial;
  /** Negative where `a` is the worse for who is attacked. */
  order(a: Tried, b: Tried): number;
}

/** So many of the worst of a class are kept, to be made worse. */
const kept = 5;

/** One in this many trials is drawn at random; the others are variations of the worst ones. */
const drawnAnew = 3;

/** After so many trials in a row that were proposed before there are taken to be no others. */
const maxRepeats = 1000;

/**
 * Hill climbing: trials are drawn, and the worst of them are changed a little at a time. It owns no clock and runs
 * nothing: it proposes trials and is told the results. So one seed and one number of trials give one search, on any
 * machine and whatever runs them.
 */
export class HillClimb<Trial, Tried extends Trial> {
  readonly #hill: Hill<Trial, Tried>;
  readonly #random: RandomStream;
  readonly #seen = new Set<string>();
  readonly #ahead: Trial[];
  readonly #worst: Tried[][];
  #tried = 0;

  constructor(hill: Hill<Trial, Tried>, random: RandomStream) {
    this.#hill = hill;
    this.#random = random;
    this.#ahead = [...hill.from];
    this.#worst = Array.from({ length: hill.classes }, () => []);
  }

  /** By class, the worst first. */
  get worst(): readonly (readonly Tried[])[] {
    return this.#worst;
  }

  get tried(): number {
    return this.#tried;
  }

  /** So many trials that were not proposed before; fewer where there are no more. */
  propose(count: number): readonly Trial[] {
    return Array.from({ length: count }, () => this.#next()).filter((trial) => trial !== undefined);
  }

  /** What came of trials, in the order in which they were proposed. */
  learn(results: readonly Tried[]): void {
    requireArray('results', results);
    for (const tried of results) {
      this.#tried++;
      this.#worst[this.#hill.classOf(tried)]?.push(tried);
    }
    for (const worst of this.#worst) {
      worst.sort((a, b) => this.#hill.order(a, b));
      worst.length = Math.min(worst.length, kept);
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
