import { expect, it } from 'vitest';
import { drawn } from '../../../../tests/digests.ts';
import { EventQueue, headBits } from './eventQueue.ts';

it('events are sorted by time, and by insertion at equal times, like a sorted list', () => {
  const wrong = drawn(30, (draw) => {
    const queue = new EventQueue();
    const list: { readonly timeUs: number; readonly order: number; readonly of: readonly number[] }[] = [];
    let order = 0;
    const push = () => {
      const far = draw.one([0, 1, 30, 511, 512, 513, 40_000, 2 ** 21 - 513, 2 ** 21, 2 ** 21 + 1, 5_000_000]);
      const timeUs = queue.timeUs + draw.integer(0, far);
      const of = [draw.integer(0, 2 ** headBits - 1), draw.integer(-9, 9), draw.integer(0, 2 ** 20), order] as const;
      queue.push(timeUs, ...of);
      list.push({ timeUs, order: order++, of });
    };
    return draw.list(draw.one([40, 400]), () => {
      for (let more = draw.integer(0, draw.chance(0.05) ? 90 : 3); more > 0; more--) push();
      const first = list.reduce(
        (a, b) => (b.timeUs < a.timeUs || (b.timeUs === a.timeUs && b.order < a.order) ? b : a),
        list[0]!,
      );
      const is = queue.next();
      if (is !== list.length > 0) return ['one too many or too few'];
      if (!is) return [];
      list.splice(list.indexOf(first), 1);
      const came = [queue.timeUs, queue.head, queue.b, queue.c, queue.d];
      return `${came}` === `${[first.timeUs, ...first.of]}` ? [] : [`${came} for ${first.timeUs},${first.of}`];
    });
  });
  expect(wrong.flat(2)).toEqual([]);
});
