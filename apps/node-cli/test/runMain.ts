import { expect } from 'vitest';
import type { Context } from '../src/context.ts';
import { main } from '../src/main.ts';

export interface MainOutcome {
  /** Exit code, or null for a process that a signal ended. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The context of a command whose output is of no interest. */
export const silent: Context = { out: () => {}, err: () => {}, progress: 'none', signal: new AbortController().signal };

/** Splits a command line like a shell: text in single quotes is one word. */
export function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}

/** Runs `tutti` in this process with words or a line in shell syntax. `onOut` gets each standard output. */
export async function runMain(
  args: string | readonly string[],
  { onOut, ...context }: Partial<Pick<Context, 'progress' | 'signal'>> & { onOut?: (text: string) => void } = {},
): Promise<MainOutcome> {
  const [outs, errs]: [string[], string[]] = [[], []];
  const out = (text: string) => {
    outs.push(text);
    onOut?.(text);
  };
  const err = (text: string) => void errs.push(text);
  const { signal } = new AbortController();
  const given = typeof args === 'string' ? words(args) : args;
  const code = await main(given, { progress: 'none', signal, ...context, out, err });
  return { code, out: outs.join(''), err: errs.join('') };
}

/** Runs `tutti` with these words. */
export const tutti = (...args: string[]) => runMain(args);

/** Checks that a command printed one line, only to the standard error. @returns the line, without `tutti: `. */
export function refusalOf({ code, out, err }: MainOutcome, expectedCode = 2): string {
  expect({ code, out }).toEqual({ code: expectedCode, out: '' });
  expect(err).toMatch(/^tutti: [^\n]*\n$/);
  return err.slice('tutti: '.length, -1);
}

/** Checks that a command succeeded and printed nothing to standard error. @returns the standard output. */
export function outputOf({ code, out, err }: MainOutcome): string {
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

/** Checks a command as {@link outputOf} does. @returns the JSON document that the command printed. */
export const documentOf = (outcome: MainOutcome) => JSON.parse(outputOf(outcome));

/** Runs a line in shell syntax with `--json`, and checks it as {@link outputOf} does. @returns the JSON document. */
export const documentFrom = async (line: string) => documentOf(await runMain(`${line} --json`));
