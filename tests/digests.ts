import { createHash } from 'node:crypto';
import { RandomStream } from '../packages/core/src/random.ts';

/**
 * Twelve hexadecimal digits of all that a value holds, to compare two runs. Numbers count to twelve digits, since engines
 * differ in the last of a logarithm; functions and private fields do not count.
 */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(textOf(value)).digest('hex').slice(0, 12);
}

/** What a call gives, or how it refuses. */
export function outcomeOf(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return String(error);
  }
}

/** Returns the subject that a refusal names, which are the words before `: expected`; `taken` if the call succeeds. */
export function refusedBy(call: () => unknown): string {
  const outcome = outcomeOf(() => void call());
  return outcome === undefined ? 'taken' : (/^\w+: (.*?): expected ./.exec(`${outcome}`)?.[1] ?? `${outcome}`);
}

/** Inputs drawn by a seed. */
export class Draw {
  readonly #random: RandomStream;

  constructor(seed: number) {
    this.#random = new RandomStream(seed, 'pinned');
  }

  /** Between both, or one of them. */
  integer(least: number, most: number): number {
    return least + this.#random.nextBelow(most - least + 1);
  }

  number(least: number, most: number): number {
    return least + this.#random.nextUnit() * (most - least);
  }

  one<T>(list: readonly T[]): T {
    return list[this.#random.nextBelow(list.length)]!;
  }

  /** True so often. */
  chance(share: number): boolean {
    return this.#random.nextUnit() < share;
  }

  some<T>(list: readonly T[], share = 0.5): T[] {
    return list.filter(() => this.chance(share));
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.#random.nextBelow(256));
  }

  list<T>(length: number, make: (draw: Draw, index: number) => T): T[] {
    return Array.from({ length }, (_, index) => make(this, index));
  }
}

/** One for each of so many seeds, which begin at 1. */
export function drawn<T>(count: number, make: (draw: Draw, seed: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(new Draw(index + 1), index + 1));
}

function textOf(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? `${value}` : value.toPrecision(12);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return '';
  if (typeof value !== 'object' || value === null) return `${value}`;
  if (value instanceof Error) return String(value);
  if (value instanceof Map) return `Map${textOf([...value])}`;
  if (value instanceof Set) return `Set${textOf([...value])}`;
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (ArrayBuffer.isView(value)) return `[${Array.from(value as Uint8Array, textOf).join()}]`;
  return `{${Object.entries(value)
    .map(([key, one]) => `${key}:${textOf(one)}`)
    .join()}}`;
}

/** Returns values of every type, as a program without types may pass them. Each call makes new ones, because a caller may write to them. */
const untyped = () => [undefined, null, 7, -1, 0.5, 'x', {}, [], [7]];

/**
 * The words with which calls refuse arguments of another kind, one wrong at a time. What the engine says, which changes
 * with it, does not count.
 *
 * @param calls by name, a function and arguments that it takes.
 */
export function refusalsOf(calls: Readonly<Record<string, readonly [(...given: never[]) => unknown, ...unknown[]]>>) {
  return Object.entries(calls).flatMap(([name, [call, ...valid]]) =>
    valid.flatMap((_, place) =>
      untyped().flatMap((value) => {
        const outcome = outcomeOf(() => void call(...(valid.with(place, value) as never[])));
        return typeof outcome === 'string' && outcome.includes('expected') ? [`${name} ${place} ${outcome}`] : [];
      }),
    ),
  );
}

/** What comes of bytes that are one too few, one too many, or none, one argument at a time: a refusal, or `taken`. */
export function lengthsRefused(calls: Parameters<typeof refusalsOf>[0]): string[] {
  return Object.entries(calls).flatMap(([name, [call, ...valid]]) =>
    valid.flatMap((bytes, place) => {
      if (!(bytes instanceof Uint8Array)) return [];
      return [bytes.subarray(1), Uint8Array.of(...bytes, 0), bytes.subarray(0, 0)].map((other) => {
        const outcome = outcomeOf(() => void call(...(valid.with(place, other) as never[])));
        return `${name} ${place} ${outcome === undefined ? 'taken' : outcome}`;
      });
    }),
  );
}

/** As {@link refusalsOf} for a call that takes options: each of them wrong in turn, and no options at all. */
export function optionRefusalsOf(name: string, call: (options: never) => unknown, options: object): string[] {
  const one = (field: string) => (value: unknown) => call({ ...options, [field]: value } as never);
  const fields = Object.entries(options).map(([field, value]) => [`${name}.${field}`, [one(field), value]] as const);
  return refusalsOf({ ...Object.fromEntries(fields), [name]: [call, options] } as Parameters<typeof refusalsOf>[0]);
}
