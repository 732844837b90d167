import type { Context } from '../src/context.ts';
import { main } from '../src/main.ts';

/** Outcome of a command. */
export interface MainOutcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `tutti` in this process and listens. @param progress untold, since what is told of it goes by the clock. */
export async function runMain(
  args: readonly string[],
  { progress = 'none', signal = new AbortController().signal }: Partial<Pick<Context, 'progress' | 'signal'>> = {},
): Promise<MainOutcome> {
  let [out, err] = ['', ''];
  const code = await main(args, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    progress,
    signal,
  });
  return { code, out, err };
}
