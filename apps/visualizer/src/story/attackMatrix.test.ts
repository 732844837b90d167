import { readFileSync } from 'node:fs';
import { type MatrixAttack, matrixAttacks, matrixGiveUpMs, matrixRows, matrixScenario } from '@tutti/lab';
import { simulate } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { cellOf, comparedTo, type MatrixFile, matrixSentence, rowNote, rowTitle } from './attackMatrix.ts';

const file: MatrixFile = JSON.parse(readFileSync(new URL('../matrix/matrix.json', import.meta.url), 'utf8'));

it('the matrix of the page has a cell for each row and possible attack, and a name for each row', () => {
  for (const row of matrixRows) {
    expect(rowTitle(row.id), row.id).toMatch(/\w/);
    for (const attack of matrixAttacks)
      expect(cellOf(file, row.id, attack) !== undefined).toBe(matrixScenario(row, attack, 1) !== undefined);
  }
});

it.each([
  ['handel', 'invalid'],
  ['window', 'invalid'],
  ['san-fermin', 'silent'],
  ['gossip', 'flood'],
] as const)('%s under %s: the run is unchanged', (id, attack) => {
  const scenario = matrixScenario(matrixRows.find((row) => row.id === id)!, attack, 1)!;
  expect(simulate(scenario, { giveUpAfterMs: matrixGiveUpMs }).digest).toBe(cellOf(file, id, attack)!.digest);
});

it('the sentence about a cell states which protocols failed, compared with Handel, and the number', () => {
  expect(matrixSentence(file, 'blacklist', 'invalid')).toMatch(
    /^Without the blacklist: in 20 of 20 runs, at least one node never finished\. The mean over all runs, including those that were stopped, is [\d,.]+ checks per node\. Handel finished in all runs/,
  );
  expect(rowNote(file, 'level-starts')).toBe('rule saves checks and bytes but costs time');
  expect(rowNote(file, 'bounded-queue')).toBe('');
  expect(matrixSentence(file, 'fast-path', 'none')).toMatch(/instead of \d+.*at its next regular time/);
  expect(matrixSentence(file, 'bounded-queue', 'none')).toContain('do not differ significantly');
  expect(matrixSentence(file, 'gossip', 'censor')).toContain('does not apply');
});

it('the sentence about a cell agrees with the note below the table', () => {
  const note = /id="matrix-note">[^<]*/.exec(readFileSync(new URL('../../index.html', import.meta.url), 'utf8'))![0];
  const without = (row: string, attack: MatrixAttack, measure: 'lastMs' | 'checks' | 'bytes') =>
    comparedTo(cellOf(file, row, attack)!, cellOf(file, 'handel', attack)!, measure);
  expect(note).toContain('With 64 nodes and invalid signatures, the window saves checks but costs time.');
  expect(without('window', 'invalid', 'checks')).toBe('worse');
  expect(without('window', 'invalid', 'lastMs')).toBe('better');
  const measures = ['lastMs', 'checks', 'bytes'] as const;
  for (const attack of matrixAttacks)
    expect(measures.map((measure) => without('level-starts', attack, measure)).join()).toBe('better,worse,worse');
});
