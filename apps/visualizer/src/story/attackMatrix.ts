import type { MatrixAttack, MatrixCell } from '@tutti/lab';
import { fetched } from '../files.ts';
import { capital, count } from '../formatNumber.ts';
import { raceTexts } from '../race/raceText.ts';
import { switches } from '../rules/editedRules.ts';

/** File format that `npm run data -- matrix` writes. */
export interface MatrixFile {
  readonly version: string;
  readonly seeds: number;
  readonly cells: readonly MatrixCell[];
}

/** Loads the matrix recorded at build time. */
export function matrixFile(): Promise<MatrixFile> {
  return fetched(new URL('../matrix/matrix.json', import.meta.url));
}

/** Measures of a cell. Each measure has its title and a function that describes a value. */
export const measures = {
  lastMs: {
    title: 'time of the last node, ms',
    words: (value: number) => `${count(Math.round(value))} ms for the last node`,
  },
  checks: {
    title: 'checks per node',
    words: (value: number) => `${count(Math.round(value * 10) / 10)} checks per node`,
  },
  bytes: {
    title: 'kB sent per node',
    words: (value: number) => `${count(Math.round(value / 100) / 10)} kB sent per node`,
  },
} as const;
export type MatrixMeasure = keyof typeof measures;

export const attackTitle = (attack: MatrixAttack): string => (attack === 'none' ? 'no attack' : attack);

/** Descriptions of the attacks in the matrix. */
export const attackTexts: Readonly<Record<MatrixAttack, string>> = {
  none: 'there is no attack',
  silent: '30 % of the nodes send nothing',
  invalid: '30 % of the nodes send invalid signatures',
  worthless: '30 % of the nodes send valid contributions that add only one signature',
  censor: '30 % of the nodes omit one node from their aggregates',
  mixed:
    '30 % of the nodes first send invalid contributions to shrink the window, and then valid contributions with only one signature',
  flood: '30 % of the nodes send continuously to fill the queues',
  equivocate:
    '30 % of the nodes send a different contribution to each node, so that honest aggregates overlap and cannot be combined',
};

/** Rules of Handel that limit each attack, as listed on the documentation's page about attacks. */
export const attackDefences: Readonly<Record<Exclude<MatrixAttack, 'none'>, string>> = {
  silent: 'levels run in parallel and start at set times, so no level waits for a node.',
  invalid:
    'the blacklist limits each sender to one invalid contribution, and the smaller window excludes most attackers.',
  worthless: 'the score prefers large contributions, and a sender’s rank grows after each small contribution.',
  censor:
    'each node also sends its individual contribution, so the victim’s contribution can be added to each aggregate that omits it.',
  mixed: 'the rules against invalid and worthless contributions work together.',
  flood: 'the bounded queue stores one aggregate per sender, and the blacklist blocks the sender.',
  equivocate:
    'a node verifies and scores each contribution individually, regardless of the contributions that other nodes received.',
};

/** Returns the name of a row: Handel, Handel without a mechanism, or a baseline. */
export function rowTitle(row: string): string {
  if (row === 'handel') return 'Handel';
  const off = switches.find(({ id }) => id === row);
  if (off !== undefined) return `without ${off.words}`;
  return raceTexts[row as keyof typeof raceTexts].title;
}

/** Returns a cell of the matrix, or undefined if the attack does not apply to the row. */
export function cellOf({ cells }: MatrixFile, row: string, attack: MatrixAttack): MatrixCell | undefined {
  return cells.find((cell) => cell.row === row && cell.attack === attack);
}

/**
 * Describes the measures that a rule saves and costs without an attack, for the row without the rule; empty if there
 * are none.
 */
export function rowNote(file: MatrixFile, row: string): string {
  const [cell, handel] = [cellOf(file, row, 'none'), cellOf(file, 'handel', 'none')];
  if (cell === undefined || handel === undefined || !switches.some(({ id }) => id === row)) return '';
  const names = { lastMs: 'time', checks: 'checks', bytes: 'bytes' } as const;
  const those = (how: 'worse' | 'better') =>
    (Object.keys(names) as MatrixMeasure[])
      .filter((measure) => comparedTo(cell, handel, measure) === how)
      .map((measure) => names[measure])
      .join(' and ');
  const [saved, spent] = [those('worse'), those('better')];
  const words = [saved && `saves ${saved}`, spent && `costs ${spent}`].filter((one) => one !== '').join(' but ');
  return words && `rule ${words}`;
}

/**
 * Compares a cell with another cell: `worse` if the cell's interval is above the other interval, `better` if it is
 * below, and `alike` if the intervals overlap. If either cell lacks the measure, the cell is `worse` if it has more
 * unfinished runs, and otherwise `alike`.
 */
export function comparedTo(cell: MatrixCell, other: MatrixCell, measure: MatrixMeasure): 'worse' | 'better' | 'alike' {
  const [one, two] = [cell[measure], other[measure]];
  if (one === undefined || two === undefined) return cell.unfinished > other.unfinished ? 'worse' : 'alike';
  if (one.low > two.high) return 'worse';
  return one.high < two.low ? 'better' : 'alike';
}

/**
 * Compares a cell with Handel with all mechanisms under the same attack. Describes the unfinished runs or, if all runs
 * finished, the measures that differ significantly.
 */
export function matrixSentence(file: MatrixFile, row: string, attack: MatrixAttack): string {
  const cell = cellOf(file, row, attack);
  const handel = cellOf(file, 'handel', attack);
  if (cell === undefined || handel === undefined) return 'This attack does not apply to this baseline.';
  const title = rowTitle(row);
  const under = attack === 'none' ? 'Without an attack' : `With the attack “${attackTitle(attack)}”`;
  if (row === 'handel')
    return `${under}, Handel needs ${measures.lastMs.words(handel.lastMs!.mean)} and ${measures.checks.words(handel.checks.mean)} (mean over ${file.seeds} seeds).`;
  if (cell.unfinished > 0) {
    const handelFinished =
      handel.unfinished === 0 ? ` Handel finished in all runs, with ${measures.checks.words(handel.checks.mean)}.` : '';
    return `${capital(title)}: in ${cell.unfinished} of ${file.seeds} runs, at least one node never finished. The mean over all runs, including those that were stopped, is ${measures.checks.words(cell.checks.mean)}.${handelFinished}`;
  }
  const differs = (Object.keys(measures) as MatrixMeasure[]).flatMap((measure) => {
    const how = comparedTo(cell, handel, measure);
    const [one, two] = [cell[measure], handel[measure]];
    if (how === 'alike' || one === undefined || two === undefined) return [];
    return [`${measures[measure].words(one.mean)} instead of ${measures[measure].words(two.mean).split(' ')[0]}`];
  });
  const rule = switches.find(({ id }) => id === row);
  const shown = `${under}, ${title}`;
  if (differs.length === 0) {
    const noEffect = rule === undefined ? '' : ' With 64 nodes, this rule has no visible effect here.';
    return `${shown}: over ${file.seeds} seeds, time, checks and bytes do not differ significantly from those of Handel with all rules.${noEffect}`;
  }
  return `${shown}: ${differs.join('; ')} (mean over ${file.seeds} seeds).${rule === undefined ? '' : ` ${rule.lost}`}`;
}
