import { expect, it } from 'vitest';
import { closing, until } from '../../test/compliance.ts';
import { maxCardCharacters } from './messages.ts';
import type { SignallingEvent } from './signalling.ts';
import { joinTabs } from './tabs.ts';

const [ann, ben, eve] = ['a', 'b', 'e'].map((digit) => digit.repeat(64)) as [string, string, string];
const gatherMs = 50;

/** Joins as a member. `until(count)` resolves to the member's events, once there are at least `count`. */
async function joined(room: string, member: string) {
  const signalling = closing(await joinTabs({ room, member, card: `card ${member[0]}`, gatherMs }));
  const seen: SignallingEvent[] = [];
  signalling.onEvent((event) => seen.push(event));
  return { signalling, until: (count: number) => until(() => seen.length >= count).then(() => seen) };
}

it('tabs connect, signal, announce and leave', async () => {
  const a = await joined('tabs-1', ann);
  const b = await joined('tabs-1', ben);
  const came = [ann, ben].map((member) => ({ type: 'came', member, card: `card ${member[0]}` }));
  expect(await b.until(2)).toEqual(came);
  b.signalling.signal(ann, 'to you');
  b.signalling.signal(eve, 'to nobody');
  b.signalling.announce('to all');
  b.signalling.close();
  expect((await a.until(5)).slice(1)).toEqual([
    came[1],
    { type: 'signal', from: ben, text: 'to you' },
    { type: 'announcement', from: ben, text: 'to all' },
    { type: 'went', member: ben },
  ]);
});

it('tabs that open at the same time list each other in one order', async () => {
  const [a, b] = await Promise.all([joined('tabs-2', ben), joined('tabs-2', ann)]);
  const names = (events: SignallingEvent[]) => events.map((event) => event.type === 'came' && event.member);
  expect(names(await a.until(2))).toEqual(names(await b.until(2)));
});

it('ignores messages of other scripts, and no other tab can send the leave of a tab', async () => {
  const a = await joined('tabs-3', ann);
  const script = new BroadcastChannel('tutti room tabs-3');
  for (const message of [
    null,
    'hello',
    { type: 'hello', member: 'x', card: '', sinceMs: 0 },
    { type: 'hello', member: ben, card: '', sinceMs: Number.NaN },
    { type: 'signal', from: ben, to: ann },
    { type: 'bye', member: ann },
    { type: 'bye', member: eve },
    { type: 'announcement', from: ben, text: 'the last' },
  ])
    script.postMessage(message);
  expect((await a.until(2)).slice(1)).toEqual([{ type: 'announcement', from: ben, text: 'the last' }]);
  script.close();
});

it('refuses a room name that no link can contain, and a member name and a card that the other tabs would ignore', async () => {
  await expect(joinTabs({ room: 'a b', member: ann, card: '' })).rejects.toMatchObject({ code: 'room-name' });
  await expect(joinTabs({ room: 'tabs-4', member: ann.toUpperCase(), card: '' })).rejects.toThrow(
    /^member: expected 64 lower-case hexadecimal digits, got "/,
  );
  const card = 'x'.repeat(maxCardCharacters + 1);
  await expect(joinTabs({ room: 'tabs-4', member: ann, card })).rejects.toThrow(
    `card: expected at most ${maxCardCharacters} characters, got ${card.length}`,
  );
});
