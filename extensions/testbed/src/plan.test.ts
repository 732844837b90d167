import { describe, expect, it } from 'vitest';
import { cutFlag, killFlag, pauseFlag, validatedPlan } from './plan.ts';

/** Returns the faults that cut the link between hosts 0 and 2. */
const linkCut = (times: { atMs: number; forMs?: number }) =>
  [0, 2].map((from) => ({ kind: 'loss', share: 1, from: [from], to: [2 - from], ...times }) as const);

describe('flags of a plan', () => {
  it.each([
    [cutFlag, '3@100+500', [{ kind: 'partition', nodes: [3], atMs: 100, forMs: 500 }]],
    [cutFlag, '0-2@10+5.5', linkCut({ atMs: 10, forMs: 5.5 })],
    [cutFlag, '0-2@10', linkCut({ atMs: 10 })],
    [killFlag, '1@0', [{ kind: 'crash', nodes: [1], atMs: 0 }]],
    [killFlag, '1@50+20', [{ kind: 'restart', nodes: [1], atMs: 50, forMs: 20, state: 'lost' }]],
    [pauseFlag, '1@50+20', [{ kind: 'pause', nodes: [1], atMs: 50, forMs: 20 }]],
  ] as const)('%o %s', (flag, text, faults) => {
    expect(flag(text)).toEqual(faults);
    expect(validatedPlan(flag(text), 4, 1)).toEqual(faults);
  });

  it.each([
    [cutFlag, '3'],
    [cutFlag, '3@100'],
    [cutFlag, '3@100-200'],
    [cutFlag, '1-2-3@1+1'],
    [cutFlag, '3-3@100'],
    [killFlag, '1-2@5'],
    [killFlag, '@5'],
    [killFlag, '1@-5'],
    [pauseFlag, '1@5'],
    [pauseFlag, ''],
  ] as const)('%o refuses %j', (flag, text) => {
    expect(() => flag(text)).toThrow(/^--(cut|kill|pause): expected /);
  });
});

describe('validatedPlan', () => {
  it('refuses to kill all hosts permanently', () => {
    const all = [0, 1, 2].flatMap((host) => killFlag(`${host}@${host}`));
    expect(() => validatedPlan(all, 3, 1)).toThrow(
      'expected at least 1 of 3 hosts not to be killed permanently, got none',
    );
    expect(validatedPlan(all, 4, 1)).toBe(all);
  });

  it.each([
    [{ kind: 'drift', nodes: [0], rate: 2 }, 'drift is not available on a testbed'],
    [{ kind: 'skew', nodes: [0], byMs: 2 }, 'skew is not available on a testbed'],
    [{ kind: 'slow-nodes', nodes: [0], factor: 2 }, 'slow-nodes is not available on a testbed'],
    [{ kind: 'corruption', share: 1, of: 'signature' }, 'faults[0].of: expected bits, got signature'],
  ] as const)('refuses faults that only a simulation supports: %o', (fault, line) => {
    expect(() => validatedPlan([fault], 2, 1)).toThrow(line);
  });
});
