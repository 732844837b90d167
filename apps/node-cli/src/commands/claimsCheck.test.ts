import { expect, it } from 'vitest';
import { documentFrom, runMain } from '../../test/runMain.ts';

const modelCheck = (flags: string, signal = new AbortController().signal) =>
  runMain(`claims check ${flags}`, { signal });

it('reaches every state within the bounds, and prints the bounds', async () => {
  expect(await documentFrom('claims check --nodes 2 --timers 1 --losses 1 --quiet')).toMatchObject({
    complete: true,
    options: { nodes: 2, timers: 1, losses: 1, repeats: 0, byzantine: 0, injections: 0, threshold: 2, without: [] },
  });
});

it('reports in a sentence whether all states were reached', async () => {
  for (const [flags, sentence] of [
    ['--nodes 2', /^Every state within these bounds was reached, and all claims hold in every state\.$/m],
    ['--nodes 2 --depth 3', /^Not every state .* every state up to a depth of 3 choices\.$/m],
    ['--nodes 2 --timers 1 --states 40', /^Not every state .* every state up to a depth of [1-9] choices\.$/m],
  ] as const)
    expect(await modelCheck(flags)).toMatchObject({ code: 0, out: expect.stringMatching(sentence) });
});

it('prints the path to a broken claim line by line, and fails', async () => {
  const { code, out, err } = await modelCheck('--byzantine 1 --without blacklist');
  expect(code).toBe(1);
  expect(err).toMatch(
    /^tutti: broken: blacklist: node 2 .*: expected at most one verified invalid contribution from sender 0.*\n$/,
  );
  expect(out).toContain(
    '  1  node 0 is Byzantine\n  2  node 2 receives an injected message, from 0: level 2, forged {1}',
  );
});

it('distinguishes a fair end from the path to its start', async () => {
  const { code, out } = await modelCheck('--nodes 2 --back-off off --without level-flag');
  expect(code).toBe(1);
  expect(out).toContain('     and then, fairly:\n  1  node 0 starts\n  2  node 1 starts\n');
});

it('can be interrupted, and prints its progress', async () => {
  const interruption = new AbortController();
  const exploring = modelCheck('--nodes 3 --timers 3', interruption.signal);
  interruption.abort();
  const { code, out, err } = await exploring;
  expect([code, out]).toEqual([130, '']);
  expect(err).toMatch(
    /^all claims hold in [\d,]+ states up to \d+ choices deep, [\d,]+ transitions\ntutti: interrupted\n$/,
  );
});
