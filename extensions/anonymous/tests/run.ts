import { main } from '../../../apps/node-cli/src/main.ts';

/** Runs `tutti` in this process, and returns its exit code and outputs. */
export async function run(...args: string[]) {
  const result = { out: '', err: '' };
  const code = await main(args, {
    out: (text) => {
      result.out += text;
    },
    err: (text) => {
      result.err += text;
    },
    progress: 'none',
    signal: new AbortController().signal,
  });
  return { code, ...result };
}
