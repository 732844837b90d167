import { expect, it } from 'vitest';
import { Inbox } from './inbox.ts';
import { nobody } from './nobody.ts';
import { PlainRegistrations } from './plainScheme.ts';

function inboxOf(anonymous: number, relayed = 4) {
  const scheme = new PlainRegistrations(4, true);
  const inbox = new Inbox(scheme, { anonymous, relayed }, () => 0);
  const put = (text: number, from: number) => {
    const one = scheme.registration({ author: 0, text });
    const kept = inbox.put(scheme.name(one), one, from);
    scheme.release(one);
    return kept;
  };
  const take = () => {
    const taken = inbox.take();
    const name = taken && scheme.name(taken.registration);
    if (taken !== undefined) scheme.release(taken.registration);
    return name;
  };
  return { scheme, inbox, put, take };
}

it('gives what a member relayed before what came from nobody, and each in order', () => {
  const { put, take, inbox, scheme } = inboxOf(4);
  put(1, nobody);
  put(2, 3);
  put(3, 1);
  expect([...inbox.relayed]).toEqual(['2/0/0/true', '3/0/0/true']);
  expect([take(), take(), take(), take()]).toEqual(['2/0/0/true', '3/0/0/true', '1/0/0/true', undefined]);
  expect([inbox.isEmpty, scheme.held]).toEqual([true, 0]);
});

it('holds no more from nobody than its bound, and gives a newcomer the place of one at random', () => {
  const { put, take, scheme } = inboxOf(2);
  expect([put(1, nobody), put(2, nobody), put(3, nobody)]).toEqual([true, true, false]);
  expect(scheme.held).toBe(2);
  expect([take(), take()]).toEqual(['2/0/0/true', '3/0/0/true']);
});

it('moves up what a member relays that waits as from nobody', () => {
  const { put, take, inbox, scheme } = inboxOf(2);
  put(1, nobody);
  expect([inbox.has('1/0/0/true', nobody), inbox.has('1/0/0/true', 2)]).toEqual([true, false]);
  put(1, 2);
  expect(inbox.has('1/0/0/true', 2)).toBe(true);
  expect([take(), take(), scheme.held]).toEqual(['1/0/0/true', undefined, 0]);
});

it('holds no more of one member than its bound, and nothing of one that is to be forgotten', () => {
  const { put, take, inbox, scheme } = inboxOf(4, 2);
  expect([put(1, 3), put(2, 3), put(3, 3), put(4, 1), put(5, nobody)]).toEqual([true, true, false, true, true]);
  expect([...inbox.relayed]).toEqual(['1/0/0/true', '2/0/0/true', '4/0/0/true']);
  inbox.forget(3);
  expect([take(), take(), take(), scheme.held]).toEqual(['4/0/0/true', '5/0/0/true', undefined, 0]);
});
