import { type HornParameters, hornSizes } from '@tutti/core/horn';
import { slotTimes } from '@tutti/core/internal/horn';
import { atLeast, exactly, type HornTable, row } from './row.ts';

export function slotTable(parameters: HornParameters): HornTable {
  const { roundSeconds, leastSeconds, hornSeconds } = slotTimes(parameters);
  const { committee } = hornSizes(parameters);
  return {
    title: 'The slot',
    section: 'Slot time increase',
    source: 'horn/costs/slot.ts',
    rows: [
      row('a round of communication today', 's', roundSeconds, exactly('4 seconds', 4)),
      row(
        'a slot with one more round',
        's',
        leastSeconds,
        atLeast('at least 4 seconds more', parameters.slotSeconds + 4),
      ),
      row('a slot as proposed', 's', hornSeconds, exactly('10 seconds more', 22)),
      row('a slot as proposed, by a slot today', 'times', hornSeconds / parameters.slotSeconds),
      row('two slots as proposed, to finality', 's', 2 * hornSeconds),
      row('status quo: votes a second', '', committee / parameters.slotSeconds),
      row('Horn: votes a second', '', parameters.validators / hornSeconds),
    ],
    grids: [],
  };
}
