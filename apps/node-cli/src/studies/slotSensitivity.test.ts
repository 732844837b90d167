import { expect, it } from 'vitest';
import { documentFrom, outputOf, runMain } from '../../test/runMain.ts';

const small = 'slots sensitivity --preset electra --validators 2048 --beacon-nodes 32 --jobs 1';

it('tutti slots sensitivity prints a row for each changed assumption, with its side of 99 %', async () => {
  const { validators, rows } = await documentFrom(`${small} --change '--cores 1' --change '--links home'`);
  expect(validators).toBe(2048);
  expect(rows.map(({ flags }: { flags: string }) => flags)).toEqual(['', '--cores 1', '--links home']);
  for (const { cells } of rows) {
    expect(cells).toHaveLength(1);
    const { p10, p90 } = cells[0].inReachPercent;
    expect(cells[0].isEnough).toBe(p10 >= 99 ? true : p90 < 99 ? false : null);
    expect(cells[0].receivedMb.min).toBeGreaterThan(0);
  }
});

it('marks a verdict only if p10 to p90 of all proposers is on the other side of 99 %', async () => {
  // Slots of 300 ms are sufficient only for gigabit links.
  const line = `${small} --slot-ms 300 --change '--links gigabit' --change '--links home'`;
  const text = outputOf(await runMain(line));
  const rows: { flags: string; cells: { isEnough: boolean | null }[] }[] = (await documentFrom(line)).rows;
  const assumed = rows[0]!.cells[0]!.isEnough;
  for (const { flags, cells } of rows.slice(1)) {
    const { isEnough } = cells[0]!;
    const mark = isEnough === null ? '?' : assumed !== null && isEnough !== assumed ? '!' : '';
    expect(new RegExp(`^${flags} +.*?([?!]?)$`, 'm').exec(text)![1]).toBe(mark);
  }
});
