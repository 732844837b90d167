import { RandomStream, shuffle, Tree } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { upTo } from '../../../core/test/sizes.ts';
import { changedPlacement } from '../checks/attackSearch/draw.ts';
import { maxExchanges, maxStretches, type Placement, placedIds, placementText, readPlacement } from './placement.ts';

function placed(text: string, nodes: number, count: number, dead: readonly number[] = []): readonly number[] {
  const eligible = [...shuffle(nodes, 1, 'test')].filter((id) => !dead.includes(id));
  return placedIds(readPlacement(text, 'placement'), eligible, count, new Tree(nodes));
}

function between(ids: readonly number[], start: number, end: number): number {
  return ids.filter((id) => id >= start && id < end).length;
}

describe('readPlacement', () => {
  it('decodes ranges of subtrees, and the swaps at the end', () => {
    expect(readPlacement('2x1of16+0of8~7.12', 'placement')).toEqual({
      stretches: [
        { subtrees: 2, honest: 1, size: 16 },
        { subtrees: 1, honest: 0, size: 8 },
      ],
      exchanges: [7, 12],
    });
  });

  it('decodes the output of placementText, for any plan of a search', () => {
    const random = new RandomStream(1, 'test');
    let placement: Placement | undefined;
    for (let step = 0; step < 500; step++) {
      placement = changedPlacement(placement, random);
      if (placement === undefined) continue;
      expect(placement.stretches.length).toBeLessThanOrEqual(maxStretches);
      expect(placement.exchanges.length).toBeLessThanOrEqual(maxExchanges);
      expect(readPlacement(placementText(placement), 'placement')).toEqual(placement);
    }
  });

  it.each(['', '1of', '1of3', '17of16', '0x1of16', '1of16+', '1of16~', '1of16~x', '+', '1of2097152', '1of16~1.'])(
    'refuses %j',
    (text) => {
      expect(() => readPlacement(text, 'placement')).toThrow(/^placement: expected \[SUBTREESx\]HONESTofSIZE.*, got/);
    },
  );
});

describe('placedIds', () => {
  it('leaves the configured number of honest nodes in each subtree, from the first id on', () => {
    const ids = placed('1of16', 64, 37);
    expect([0, 16, 32, 48].map((start) => between(ids, start, start + 16))).toEqual([15, 15, 7, 0]);
    expect(new Set(ids).size).toBe(37);
  });

  it('repeats the first range after the last one, each at the next subtree of its size', () => {
    const ids = placed('2of8+4of4+0of16', 128, 44);
    expect([8, 12, 40].map((start) => between(ids, start, start + 4))).toEqual([0, 0, 0]);
    expect([between(ids, 0, 8), between(ids, 16, 32), between(ids, 32, 40), between(ids, 48, 64)]).toEqual([
      6, 16, 6, 16,
    ]);
  });

  it('draws the remaining ids, omits dead ids, and fits any size', () => {
    expect(placed('16of16', 64, 20).length).toBe(20);
    expect(placed('8of8+1of16', 13, 5).length).toBe(5);
    const dead = upTo(8);
    const ids = placed('1of16', 100, 30, dead);
    expect(ids.length).toBe(30);
    expect(ids.filter((id) => dead.includes(id))).toEqual([]);
  });

  it('moves one id per swap', () => {
    const [plain, once, twice] = ['1of16', '1of16~5', '1of16~5.9'].map((text) => new Set(placed(text, 64, 30)));
    const apart = (a: Set<number>, b: Set<number>): number => [...a].filter((id) => !b.has(id)).length;
    expect([apart(plain!, once!), apart(once!, twice!), twice!.size]).toEqual([1, 1, 30]);
  });
});
