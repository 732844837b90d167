import { describe, expect, it } from 'vitest';
import { StateBench } from '../../test/handel.ts';
import { upTo } from '../../test/sizes.ts';
import { isSilenced, listenAgain, silence } from './silence.ts';

describe('silence', () => {
  it('v1.03 6: silences a peer once, on levels of up to 32 peers and on larger ones', () => {
    for (const level of [1, 4, 6, 7]) {
      const { state } = new StateBench({ nodes: 128, id: 0 });
      const first = 2 ** (level - 1);
      const peers = upTo(first).map((index) => first + index);
      const silenced = peers.filter((peer) => peer % 3 === 1);
      for (const peer of [...silenced, ...silenced]) silence(state, level, peer);
      expect(peers.filter((peer) => isSilenced(state, level, peer))).toEqual(silenced);
      expect(state.levels.silencedCount(level)).toBe(silenced.length);
    }
  });

  it('is taken back, and counted so', () => {
    for (const level of [4, 7]) {
      const { state } = new StateBench({ nodes: 128, id: 0 });
      const first = 2 ** (level - 1);
      for (const peer of [first, first + 1]) silence(state, level, peer);
      for (const _ of [1, 2]) listenAgain(state, level, first);
      expect([first, first + 1].map((peer) => isSilenced(state, level, peer))).toEqual([false, true]);
      expect(state.levels.silencedCount(level)).toBe(1);
      silence(state, level, first);
      expect(state.levels.silencedCount(level)).toBe(2);
    }
  });
});
