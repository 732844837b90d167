import { slotTimes } from '../costs/slot.ts';
import { hornSizes, defaultHornParameters as post } from '../parameters.ts';
import { atLeast, exactly, type HornTable, row } from './row.ts';

export function slotTable(): HornTable {
  const { roundSeconds, leastSeconds, hornSeconds } = slotTimes(post);
  const { committee } = hornSizes(post);
  return {
    title: 'The slot',
    section: 'Slot time increase',
    source: 'horn/costs/slot.ts',
    rows: [
      row('a round of communication today', 's', roundSeconds, exactly('4 seconds', 4)),
      row('a slot with one more round', 's', leastSeconds, atLeast('at least 4 seconds more', post.slotSeconds + 4)),
      row('a slot as proposed', 's', hornSeconds, exactly('10 seconds more', 22)),
      row('a slot as proposed, by a slot today', 'times', hornSeconds / post.slotSeconds),
      row('two slots as proposed, to finality', 's', 2 * hornSeconds),
      row('status quo: votes a second', '', committee / post.slotSeconds),
      row('Horn: votes a second', '', post.validators / hornSeconds),
    ],
    grids: [],
  };
}
