import { expect, it } from 'vitest';
import { Approvals } from './approvals.ts';

const never = () => new Promise<boolean>(() => {});
const bytesOf = (length: number) => new Uint8Array(length);

it('one call over the limit of a member is refused, and a call for another member is admitted', () => {
  const approvals = new Approvals({ approve: never, size: 4, maxOfOne: 3, maxMessageBytes: 100 });
  for (const name of ['a', 'b', 'c']) {
    expect(approvals.hasRoomFor(1, 10)).toBe(true);
    void approvals.ask(name, bytesOf(10), 1);
  }
  expect([approvals.hasRoomFor(1, 10), approvals.hasRoomFor(2, 10)]).toEqual([false, true]);
});

it('a call that exceeds the byte limit of a member by one byte is refused', () => {
  // For 1,000 members, the share of 16 MiB per member is less than the maximum length of one message.
  const approvals = new Approvals({ approve: never, size: 1000, maxOfOne: 9, maxMessageBytes: 20_000 });
  void approvals.ask('a', bytesOf(15_000), 1);
  expect([approvals.hasRoomFor(1, 5000), approvals.hasRoomFor(1, 5001)]).toEqual([true, false]);
});

it('an answer from approve releases the slot of the call, and only the answer true approves the message', async () => {
  const answers = [true, false, 1, 'true', new Error('thrown')];
  const approve = () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer as boolean;
  };
  const approvals = new Approvals({ approve, size: 4, maxOfOne: 1, maxMessageBytes: 100 });
  const decisions: boolean[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    expect(approvals.hasRoomFor(1, 1)).toBe(true);
    const asked = approvals.ask(name, bytesOf(1), 1);
    expect([approvals.isAsking(name), approvals.hasRoomFor(1, 1)]).toEqual([true, false]);
    decisions.push(await asked);
  }
  expect([decisions, approvals.isAsking('e')]).toEqual([[true, false, false, false, false], false]);
});
