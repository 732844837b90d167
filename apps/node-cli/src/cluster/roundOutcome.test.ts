import { expect, it } from 'vitest';
import { attackLine, attackOutcome, type ClusterOutcome } from './roundOutcome.ts';

it('a cost that is 0 without attackers has no ratio', () => {
  const spread = { min: 0, mean: 0, max: 0 };
  const figures = { timeToThresholdMs: spread, messagesSent: spread, bytesSent: spread, checked: spread, reached: 1 };
  const outcome = { rounds: [{ figures }], blacklisted: new Map() } as unknown as ClusterOutcome;
  const cast = { honest: 1, slow: 0, byzantine: [{ attack: 'silent', first: 1, end: 2 }] };
  const attack = attackOutcome(cast, outcome, outcome);
  expect(attack.ratio).toEqual({ timeToThresholdMs: null, messagesSent: null, bytesSent: null, checked: null });
  expect(attackLine(attack)).toContain('verifications - compared');
});
