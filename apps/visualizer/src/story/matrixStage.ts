import { type MatrixAttack, matrixAttacks } from '@tutti/lab';
import { fetched } from '../fetched.ts';
import { made } from '../made.ts';
import {
  attackDeeds,
  attackTitle,
  cellOf,
  comparedTo,
  type MatrixFile,
  type MatrixMeasure,
  matrixSentence,
  measures,
  rowTitle,
} from '../matrix/matrixFile.ts';
import { count } from '../numberWords.ts';
import { cellShown, writeStoryLink } from './address.ts';
import type { Stage, StageListener } from './stage.ts';

/** Mechanisms and baselines by attack: what each costs over many seeds. A cell leads to its run beside Handel's. */
class MatrixStage implements Stage {
  readonly told = { track: { spanUs: 1, curve: [] }, chapters: [], marks: [], stepsUs: [] };
  readonly endUs = 0;
  readonly shows = {};
  readonly #file: MatrixFile;
  readonly #host: HTMLElement;
  readonly #said: HTMLElement;
  #measure: MatrixMeasure = 'lastMs';

  constructor(file: MatrixFile, section: HTMLElement) {
    this.#file = file;
    this.#host = section.querySelector('#matrix-table')!;
    this.#said = section.querySelector('#matrix-said')!;
    section.querySelector('#matrix-measure')!.addEventListener('change', (event) => {
      this.#measure = (event.target as HTMLInputElement).value as MatrixMeasure;
      this.#draw();
    });
    this.#said.textContent = matrixSentence(file, 'blacklist', 'invalid');
    this.#draw();
  }

  words(): string {
    return '';
  }

  show(): void {}

  draw(): void {}

  resize(): void {}

  recolour(): void {}

  #draw(): void {
    const table = document.createElement('table');
    const caption = table.createCaption();
    caption.textContent = `${measures[this.#measure].title}: mean ± 95 % over ${this.#file.seeds} seeds, 64 nodes, three in ten attack. ▲ more than Handel’s, ▼ less, where the intervals do not meet.`;
    const head = table.createTHead().insertRow();
    head.insertCell();
    for (const attack of matrixAttacks)
      head.append(made('th', { scope: 'col', textContent: attackTitle(attack), title: attackDeeds[attack] }));
    const body = table.createTBody();
    for (const row of new Set(this.#file.cells.map((cell) => cell.row))) {
      const line = body.insertRow();
      line.append(made('th', { scope: 'row', textContent: rowTitle(row) }));
      for (const attack of matrixAttacks) this.#cell(line.insertCell(), row, attack);
    }
    this.#host.replaceChildren(table);
  }

  #cell(host: HTMLTableCellElement, row: string, attack: MatrixAttack): void {
    const cell = cellOf(this.#file, row, attack);
    if (cell === undefined) {
      host.textContent = '–';
      host.title = 'This baseline leaves the attack no room';
      return;
    }
    const link = made('a', { className: 'cell-link' });
    const value = cell[this.#measure];
    const scale = this.#measure === 'bytes' ? 1000 : 1;
    const digits = (one: number) =>
      count(Math.round((one / scale) * (one / scale < 100 ? 10 : 1)) / (one / scale < 100 ? 10 : 1));
    const isNever = cell.unfinished === this.#file.seeds && this.#measure === 'lastMs';
    const how = comparedTo(cell, cellOf(this.#file, 'handel', attack)!, this.#measure);
    link.textContent =
      value === undefined || isNever
        ? 'never'
        : `${how === 'alike' ? '' : how === 'worse' ? '▲\u00a0' : '▼\u00a0'}${digits(value.mean)}`;
    if (value !== undefined && !isNever) {
      link.append(made('small', { textContent: ` ±${digits((value.high - value.low) / 2)}` }));
    }
    if (cell.unfinished > 0 && !isNever) {
      const never = document.createElement('small');
      never.textContent = ` ${cell.unfinished} never`;
      link.append(never);
    }
    host.className = row === 'handel' ? 'own' : how;
    link.href = `#${writeStoryLink({ chapter: 'switch-off', shows: { ...cellShown(row), attack }, atMs: undefined })}`;
    link.dataset.testid = `cell-${row}-${attack}`;
    link.title = matrixSentence(this.#file, row, attack);
    const say = () => {
      this.#said.textContent = link.title;
    };
    link.addEventListener('focus', say);
    link.addEventListener('pointerenter', say);
    host.append(link);
  }
}

/** The matrix that was recorded when the page was made. */
export function matrixFile(): Promise<MatrixFile> {
  return fetched(new URL('../matrix/matrix.json', import.meta.url));
}

export async function matrixStage(section: HTMLElement, _on: StageListener): Promise<Stage> {
  return new MatrixStage(await matrixFile(), section);
}
