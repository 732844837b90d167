import { DeskReplay, defaultScenario } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { csvText } from '../state/tableFile.ts';
import { deskNumbers } from './deskNumbers.ts';

it('has a line for each thing on the desk, each with as many columns as the first', () => {
  const chosen = { nodes: 32, verifyMs: 20, attacks: [{ name: 'invalid', share: 0.4 }] } as const;
  const replay = new DeskReplay({ ...defaultScenario, ...chosen }, 1);
  let most = 0;
  for (let at = 0; at < 600_000; at += 30_000) {
    const desk = replay.at(at)!;
    const [columns, ...lines] = [...deskNumbers(desk)];
    const waiting = desk.levels.flatMap(({ level, items }) => items.map(({ sender }) => `${level} ${sender}`));
    const checked = desk.checking.map(({ level, sender }) => `${level} ${sender}`);
    expect(lines.map(([level, , , , , sender]) => `${level} ${sender}`).sort()).toEqual(
      [...waiting, ...checked].sort(),
    );
    for (const line of lines) expect(line).toHaveLength(columns!.length);
    expect(csvText(lines)).not.toMatch(/undefined|NaN|Infinity/);
    most = Math.max(most, lines.length);
  }
  expect(most).toBeGreaterThan(5);
});
