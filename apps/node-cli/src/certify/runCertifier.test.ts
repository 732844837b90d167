import { expect, it } from 'vitest';
import { approvals, approvedMessages } from './runCertifier.ts';

it('--approve all approves no succession: that takes a word of its own', () => {
  expect(approvedMessages.map((one) => Object.keys(approvals(one)))).toEqual([
    [],
    ['approve'],
    ['approve', 'approveSuccession'],
  ]);
});
