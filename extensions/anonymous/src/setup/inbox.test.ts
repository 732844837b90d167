import { expect, it } from 'vitest';
import { Inbox, nobody } from './inbox.ts';
import { PlainRegistrations } from './plainRegistrations.ts';

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

it('returns relayed registrations before anonymous ones, each kind in order', () => {
  const { put, take, inbox, scheme } = inboxOf(4);
  put(1, nobody);
  put(2, 3);
  put(3, 1);
  expect([...inbox.relayed]).toEqual(['2/0/0/true', '3/0/0/true']);
  expect([take(), take(), take(), take()]).toEqual(['2/0/0/true', '3/0/0/true', '1/0/0/true', undefined]);
  expect([inbox.isEmpty, scheme.held]).toEqual([true, 0]);
});

it('limits anonymous registrations, and a new one replaces a random one', () => {
  const { put, take, scheme } = inboxOf(2);
  expect([put(1, nobody), put(2, nobody), put(3, nobody)]).toEqual([true, true, false]);
  expect(scheme.held).toBe(2);
  expect([take(), take()]).toEqual(['2/0/0/true', '3/0/0/true']);
});

it('promotes a waiting anonymous registration that a member relays', () => {
  const { put, take, inbox, scheme } = inboxOf(2);
  put(1, nobody);
  expect([inbox.has('1/0/0/true', nobody), inbox.has('1/0/0/true', 2)]).toEqual([true, false]);
  put(1, 2);
  expect(inbox.has('1/0/0/true', 2)).toBe(true);
  expect([take(), take(), scheme.held]).toEqual(['1/0/0/true', undefined, 0]);
});

it('limits the registrations of one member, and drops those of a removed member', () => {
  const { put, take, inbox, scheme } = inboxOf(4, 2);
  expect([put(1, 3), put(2, 3), put(3, 3), put(4, 1), put(5, nobody)]).toEqual([true, true, false, true, true]);
  expect([...inbox.relayed]).toEqual(['1/0/0/true', '2/0/0/true', '4/0/0/true']);
  inbox.forget(3);
  expect([take(), take(), take(), scheme.held]).toEqual(['4/0/0/true', '5/0/0/true', undefined, 0]);
});
