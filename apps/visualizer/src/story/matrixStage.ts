import { type MatrixAttack, type MatrixCell, matrixAttacks } from '@tutti/lab';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { count } from '../formatNumber.ts';
import { cellShown, writeStoryLink } from './address.ts';
import {
  attackDefences,
  attackTexts,
  attackTitle,
  cellOf,
  comparedTo,
  type MatrixFile,
  type MatrixMeasure,
  matrixFile,
  matrixSentence,
  measures,
  rowNote,
  rowTitle,
} from './attackMatrix.ts';
import { type Stage, still } from './stage.ts';

/**
 * Table of mechanisms and baselines by attack, with the cost of each combination over many seeds. Choosing a cell shows
 * the cell's run compared with Handel's run.
 */
class MatrixTable {
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
    const deeds = matrixAttacks.filter((attack) => attack !== 'none');
    render(
      deeds.map(
        (attack) =>
          html`<li><b>${attackTitle(attack)}</b>: ${attackTexts[attack].replace('30 % of the nodes', 'attackers')}. <i>Defence:</i> ${attackDefences[attack]}</li>`,
      ),
      section.querySelector<HTMLElement>('#matrix-attacks')!,
    );
    this.#draw();
  }

  #draw(): void {
    const { seeds, cells } = this.#file;
    const head = matrixAttacks.map(
      (attack) => html`<th scope="col" title=${attackTexts[attack]}>${attackTitle(attack)}</th>`,
    );
    const rows = [...new Set(cells.map((cell) => cell.row))].map(
      (row) =>
        html`<tr><th scope="row">${rowTitle(row)}<small>${rowNote(this.#file, row)}</small></th>${matrixAttacks.map((attack) => this.#cell(row, attack))}</tr>`,
    );
    render(
      html`<table><caption>${measures[this.#measure].title}: mean ± 95 % over ${seeds} seeds, 64 nodes, 30 % attackers. ▲/▼: significantly more/less than Handel (95 % intervals do not overlap). Darker cells have higher values relative to Handel.</caption><thead><tr><td></td>${head}</tr></thead><tbody>${rows}</tbody></table>`,
      this.#host,
    );
  }

  #cell(row: string, attack: MatrixAttack): TemplateResult {
    const cell = cellOf(this.#file, row, attack);
    if (cell === undefined) return html`<td title="This attack does not apply to this baseline">–</td>`;
    const value = cell[this.#measure];
    const scale = this.#measure === 'bytes' ? 1000 : 1;
    const digits = (one: number) => {
      const parts = one / scale < 100 ? 10 : 1;
      return count(Math.round((one / scale) * parts) / parts);
    };
    const isNever = cell.unfinished === this.#file.seeds && this.#measure === 'lastMs';
    const handel = cellOf(this.#file, 'handel', attack)!;
    const how = comparedTo(cell, handel, this.#measure);
    const mark = how === 'alike' ? '' : how === 'worse' ? '▲\u00a0' : '▼\u00a0';
    const shown =
      value === undefined || isNever
        ? 'never'
        : html`${mark}${digits(value.mean)}<small> ±${digits((value.high - value.low) / 2)}</small>`;
    const words = matrixSentence(this.#file, row, attack);
    const say = () => {
      this.#said.textContent = words;
    };
    const link = writeStoryLink({
      chapter: 'switch-off',
      shows: { ...cellShown(row), attack, nodes: undefined },
      atMs: undefined,
    });
    return html`<td class=${row === 'handel' ? 'own' : how} .style=${heatOf(cell, handel, this.#measure, isNever)}><a class="cell-link" href="#${link}" data-testid="cell-${row}-${attack}" title=${words} @focus=${say} @pointerenter=${say}>${shown}${cell.unfinished > 0 && !isNever ? html`<small> ${cell.unfinished} never</small>` : nothing}</a></td>`;
  }
}

/**
 * Returns the style of a cell, based on the ratio of its value to Handel's value. A ratio up to 1 has no heat; a ratio
 * of 16 or more, or a missing value, has maximum heat.
 */
function heatOf(cell: MatrixCell, handel: MatrixCell, measure: MatrixMeasure, isNever: boolean): string {
  const [one, two] = [cell[measure]?.mean, handel[measure]?.mean];
  const ratio = isNever || one === undefined || two === undefined ? 16 : one / two;
  return `--heat: ${Math.round(60 * Math.min(1, Math.max(0, Math.log2(ratio) / 4)))}%`;
}

export async function matrixStage(section: HTMLElement): Promise<Stage> {
  new MatrixTable(await matrixFile(), section);
  return still;
}
