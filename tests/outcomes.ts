import { createHash } from 'node:crypto';

/** Returns 12 digits of a value's hash, without functions and private fields, with numbers of 12 digits. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(textOf(value)).digest('hex').slice(0, 12);
}

/** Returns the result of a call, or a description of the error thrown by the call. */
export function outcomeOf(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return String(error);
  }
}

/** Returns the subject of a refusal, that is, the words before `: expected`, or `taken` if the call succeeds. */
export function refusedBy(call: () => unknown): string {
  const outcome = outcomeOf(() => void call());
  return outcome === undefined ? 'taken' : (/^\w+: (.*?): expected ./.exec(`${outcome}`)?.[1] ?? `${outcome}`);
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

/** Returns new arguments for each function, since a function may write into an array that it receives. */
const hostileArguments = () => [[], [null], [7], ['x y'], [{}], [[]], [() => 0]];

/** Title of a test that expects no result from {@link foreignErrorsOf}. */
export const ownErrors =
  '%s accepts or refuses any argument with its own error, never with an error of the JavaScript engine';

/** Returns the functions and classes among the exports of a module, with their names. */
export const callableOf = (exports: object) => Object.entries(exports).filter(([, one]) => typeof one === 'function');

/** Calls a function or class with arguments of every type, and returns errors without the form of a refusal. */
// biome-ignore lint/suspicious/noExplicitAny: as from a program without types.
export async function foreignErrorsOf(one: any): Promise<unknown[]> {
  const isClass = Function.prototype.toString.call(one).startsWith('class');
  const foreign: unknown[] = [];
  for (const args of hostileArguments()) {
    try {
      const result = await (isClass ? Reflect.construct(one, args) : one(...args));
      // A generator checks its arguments only when the first value is requested.
      if (Symbol.iterator in Object(result)) Array.from(result as Iterable<unknown>).slice(0, 1);
    } catch (error) {
      if (!/^[^\n]*expected [^\n]+, got [^\n]+$/.test((error as Error).message)) foreign.push(error);
    }
  }
  return foreign;
}
