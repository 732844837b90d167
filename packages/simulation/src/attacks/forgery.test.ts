import { CountingScheme, noContribution, Tree } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import type { AttackSetting } from './attack.ts';
import { Forgeries } from './forgery.ts';

const scheme = new CountingScheme(new Tree(100));
const members = [3, 40, 41, 45];
const setting = { scheme, members, individual: (id: number) => scheme.individual(id) } as unknown as AttackSetting;
const { tree } = scheme;
const block = tree.peerBlock(0, 6);
const signersOf = (contribution: number) =>
  Array.from({ length: tree.nodes }, (_, id) => id).filter((id) => scheme.contains(contribution, id));

describe('Forgeries', () => {
  const forgeries = new Forgeries(setting);
  const inBlock = members.filter((id) => tree.contains(block, id));

  it('cover a block or one of its ids, and do not verify', () => {
    expect(scheme.isFull(forgeries.full(block))).toBe(true);
    expect(signersOf(forgeries.of(block, tree.start(block) + 2))).toEqual([tree.start(block) + 2]);
    const others = signersOf(forgeries.full(block)).filter((id) => id !== tree.start(block) + 3);
    expect(signersOf(forgeries.allBut(block, tree.start(block) + 3))).toEqual(others);
    for (const forged of [
      forgeries.full(block),
      forgeries.of(block, tree.start(block) + 2),
      forgeries.allBut(block, tree.start(block) + 3),
    ]) {
      expect(scheme.block(forged)).toBe(block);
      expect(scheme.verify(forged)).toBe(false);
    }
  });

  it('include contributions of members, which verify', () => {
    expect(inBlock.length).toBeGreaterThan(1);
    expect(signersOf(forgeries.alone(block, inBlock[0]!))).toEqual([inBlock[0]]);
    expect(signersOf(forgeries.together(block))).toEqual(inBlock);
    for (const valid of [forgeries.alone(block, inBlock[0]!), forgeries.together(block)]) {
      expect(scheme.block(valid)).toBe(block);
      expect(scheme.verify(valid)).toBe(true);
    }
    expect(forgeries.together(tree.leaf(99))).toBe(noContribution);
  });

  it('are created once and retained', () => {
    const made = () => [
      ...[forgeries.full(block), forgeries.of(block, tree.start(block)), forgeries.alone(block, inBlock[1]!)],
      forgeries.together(block),
    ];
    const first = made();
    const { held } = scheme;
    for (const one of first) {
      scheme.retain(one);
      scheme.release(one);
    }
    expect(made()).toEqual(first);
    expect(scheme.held).toBe(held);
  });
});
