import { expect, it } from 'vitest';
import { upTo } from '../../test/sizes.ts';
import { addId, hasId, idSet, removeId } from './idSet.ts';

it('contains exactly the ids that were added and not removed', () => {
  for (const nodes of [1, 2, 31, 32, 33, 100]) {
    const set = idSet(nodes);
    expect(upTo(nodes).filter((id) => hasId(set, id))).toEqual([]);
    const odd = upTo(nodes).filter((id) => id % 2 === 1);
    for (const id of [...odd, ...odd]) addId(set, id);
    addId(set, nodes - 1);
    expect(upTo(nodes).filter((id) => hasId(set, id))).toEqual([...new Set([...odd, nodes - 1])]);
    removeId(set, nodes - 1);
    removeId(set, nodes - 1);
    expect(upTo(nodes).filter((id) => hasId(set, id))).toEqual(odd.filter((id) => id !== nodes - 1));
  }
});
