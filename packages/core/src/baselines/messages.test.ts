import { describe, expect, it } from 'vitest';
import { contributionOf, forgeryOf, signersOf } from '../../test/sets.ts';
import { CountingScheme } from '../contribution/countingScheme.ts';
import { Tree } from '../overlay/tree.ts';
import { noContribution } from '../protocol.ts';
import { decodeMessage, encodeMessage, levelMessages, longestMessageBytes, type MessageForm } from '../wire/message.ts';
import { individualMessages, relayedMessages, wholeMessages } from './messages.ts';

const nodes = 13;
const [sender, receiver] = [9, 2] as const;
const scheme = new CountingScheme(new Tree(nodes));
const { tree } = scheme;

/** Message form of each protocol, with a message that an honest node sends. */
const forms: Record<string, [MessageForm, number, { individual?: boolean; flags?: number }]> = {
  'complete graph': [individualMessages, scheme.individual(sender), { flags: 3 }],
  'San Fermín': [levelMessages, 0, { flags: 2 }],
  'gossip of individual contributions': [relayedMessages, scheme.individual(12), {}],
  'gossip of aggregates': [wholeMessages, contributionOf(scheme, 1, [0, 9, 12]), { individual: true }],
};
const level = tree.levelBetween(sender, receiver);
forms['San Fermín']![1] = contributionOf(scheme, tree.ownBlock(sender, level), [9]);

const levelOf = (form: MessageForm) => (form === levelMessages ? level : 0);

describe.each(Object.entries(forms))('messages of %s', (_, [form, aggregate, { individual = false, flags = 0 }]) => {
  const own = individual ? scheme.individual(sender) : noContribution;
  const bytes = encodeMessage(scheme, levelOf(form), aggregate, own, flags, form);
  const read = (changed: Uint8Array, from: number = sender) => decodeMessage(scheme, receiver, from, changed, form);

  it('decode to the encoded messages', () => {
    const message = read(bytes);
    if (!message.ok) throw new Error(message.code);
    expect([message.level, message.flags]).toEqual([levelOf(form), flags]);
    expect(signersOf(scheme, message.aggregate)).toEqual(signersOf(scheme, aggregate));
    expect(signersOf(scheme, message.individual)).toEqual(individual ? [sender] : []);
    expect(scheme.verify(message.aggregate)).toBe(true);
  });

  it('are at most as long as a listed set over all ids', () => {
    const size = form.largestSet(tree);
    const block =
      form === levelMessages ? tree.ownBlock(sender, tree.levels) : form === wholeMessages ? 1 : tree.leaf(9);
    expect(tree.size(block)).toBeLessThanOrEqual(size);
    const listed = size === 1 ? scheme.individual(9) : forgeryOf(scheme, block, [9]);
    const longest = encodeMessage(scheme, levelOf(form), listed, scheme.individual(sender), 0, form);
    expect(longest.length).toBeLessThanOrEqual(longestMessageBytes(tree, 96, form));
  });

  it('are refused by code when altered, for any bytes, and leave nothing retained', () => {
    const { held } = scheme;
    const codeOf = (changed: Uint8Array, from?: number) => {
      const message = read(changed, from);
      return message.ok ? 'read' : message.code;
    };
    expect(codeOf(bytes.with(0, 2))).toBe('unknown-version');
    expect(codeOf(bytes.with(1, 200))).toBe('level-out-of-range');
    expect(codeOf(bytes.with(2, 0x44))).toBe('unknown-flags');
    expect(codeOf(bytes, receiver)).toBe('sender-not-in-peer-set');
    for (let length = 0; length < bytes.length; length++) expect(codeOf(bytes.subarray(0, length))).toBe('truncated');
    expect(codeOf(Uint8Array.of(...bytes, 0))).toBe('trailing-bytes');
    if (form === relayedMessages) expect(codeOf(bytes.with(6, nodes))).toBe('bit-beyond-end');
    expect(scheme.held).toBe(held);
  });
});
