import { expect, it } from 'vitest';
import { isWhole, sampled } from '../../../../tests/sampled.ts';
import { runMain } from '../../test/runMain.ts';
import { agreement, comparedRows, latenesses, mainnet, measuredRows, observedSlot } from '../horn/mainnetFigures.ts';
import { loadAllNetworks } from '../simulatedRun.ts';
import { voteArrivals } from './slotArrivals.ts';

await loadAllNetworks();

const slots = Object.keys(latenesses) as (keyof typeof latenesses)[];

it.runIf(isWhole).each(sampled(slots, 1))('%s: each row is near the measured value, or has a known cause', (name) => {
  const seen = observedSlot(mainnet, name);
  const rows = comparedRows(seen, name);
  expect(rows).toHaveLength(measuredRows.filter(({ slot }) => slot === name).length);
  for (const { what, off, verdict, cause } of rows) {
    expect(Number.isFinite(off), what).toBe(true);
    expect(Math.abs(off) <= agreement || (verdict === 'differs' && cause !== undefined), what).toBe(true);
  }
  const { columns, rows: arrivals } = voteArrivals([{ name, slot: 2, slotMs: 12_000, seen }]);
  const of = (column: string) => arrivals.map((row) => Number(row[columns.indexOf(column)]));
  expect(new Set(of('node'))).toEqual(new Set(seen.slot.world.observers));
  const columnNames = ['t_ns', 'published_t_ns', 'propagation_slot_start_diff'];
  const [[seenNs = 0] = [], [sentNs = 0] = [], [diffMs = 0] = []] = columnNames.map(of);
  expect(seenNs).toBeGreaterThan(sentNs);
  expect(Math.round((seenNs - 24e9) / 1e6)).toBe(diffMs);
});

it('has a figure for every kind of slot that was not used for calibration', () => {
  for (const name of slots) expect(measuredRows.some(({ slot, isFitted }) => slot === name && !isFitted)).toBe(true);
});

it('tutti slots arrivals ends when it is interrupted', async () => {
  expect((await runMain(['slots', 'arrivals'], { signal: AbortSignal.abort() })).code).not.toBe(0);
});
