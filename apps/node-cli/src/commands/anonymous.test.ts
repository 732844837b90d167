import { describe, expect, it } from 'vitest';
import { main } from '../main.ts';

async function tutti(...args: string[]) {
  const said = { out: '', err: '' };
  const code = await main(args, {
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    isTerminal: false,
    signal: new AbortController().signal,
  });
  return { code, ...said };
}

const cluster = (...args: string[]) => tutti('anonymous', 'cluster', '--nodes', '4', '--ring', '2', ...args, '--json');

/** v1.03 section 5.3, over sockets. */
describe('tutti anonymous cluster', { timeout: 120_000 }, () => {
  it('sets up over UDP, names the cheat, and plays rounds on the anonymous registry', async () => {
    const { code, out } = await cluster('--cheats', '1', '--rounds', '2');
    expect(code).toBe(0);
    const { setup, rounds, nodes, verifiedBy } = JSON.parse(out);
    expect(setup).toMatchObject({ members: 4, rings: 2, accepted: 3, doubles: 1, struck: [0] });
    expect(nodes).toBe(3);
    expect(rounds.map(({ signers }: { signers: number }) => signers)).toEqual([3, 3]);
    expect(verifiedBy).toBe('noble-curves');
  });

  it('refuses what cannot be, in one line', async () => {
    for (const [args, line] of [
      [['--proxy', '127.0.0.1:9050'], /--proxy: expected --transport tcp/],
      [['--cheats', '4'], /--cheats: expected fewer than the 4 members/],
      [['--ring', '0'], /--ring: expected an integer/],
      [['--signatures', 'blind'], /--signatures: expected linkable or traceable/],
    ] as const) {
      const { code, err } = await cluster(...args);
      expect([code, err]).toEqual([2, expect.stringMatching(line)]);
    }
  });
});
