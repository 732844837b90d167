import { main } from '../src/main.ts';

/** What a command came to. */
export interface Answer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `tutti` in this process and listens. @param isTerminal whether progress may be drawn. */
export async function runMain(
  args: readonly string[],
  { isTerminal = false, signal = new AbortController().signal } = {},
): Promise<Answer> {
  let [out, err] = ['', ''];
  const code = await main(args, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    isTerminal,
    signal,
  });
  return { code, out, err };
}
