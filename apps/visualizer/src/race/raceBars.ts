import { html, render } from 'lit-html';
import type { RaceOutcome } from './raceFile.ts';
import { amount, checks, raceTitles, seconds } from './raceText.ts';

interface RaceMeasure {
  readonly title: string;
  readonly of: (outcome: RaceOutcome) => number;
  readonly words: (outcome: RaceOutcome) => string;
}

const measures: readonly RaceMeasure[] = [
  {
    title: 'last node',
    of: ({ lastMs }) => lastMs,
    words: ({ lastMs, reached, live }) => (reached < live ? `${live - reached} never` : seconds(lastMs)),
  },
  { title: 'bytes per node', of: ({ bytesSent }) => bytesSent, words: ({ bytesSent }) => amount(bytesSent) },
  { title: 'checks per node', of: ({ checked }) => checked, words: ({ checked }) => checks(checked) },
];

/**
 * Draws time, bytes and checks of every protocol as a table with bars. The bars are logarithmic, because values differ
 * by factors of hundreds. The minimum of each measure has a tenth of the width, and its maximum the full width.
 */
export function drawBars(host: HTMLElement, outcomes: readonly RaceOutcome[]): void {
  const share = ({ of }: RaceMeasure, outcome: RaceOutcome) => {
    const all = outcomes.map((one) => Math.log(of(one)));
    const [min, max] = [Math.min(...all), Math.max(...all)];
    return max === min ? 1 : 0.1 + (0.9 * (Math.log(of(outcome)) - min)) / (max - min);
  };
  const cell = (measure: RaceMeasure, outcome: RaceOutcome) =>
    html`<td><span class="bar-value">${measure.words(outcome)}</span><span class="bar" .style=${`width: ${100 * share(measure, outcome)}%`}></span></td>`;
  const row = (outcome: RaceOutcome) =>
    html`<tr class=${outcome.protocol === 'handel' ? 'first' : ''}><th scope="row">${raceTitles[outcome.protocol]}</th>${measures.map((measure) => cell(measure, outcome))}</tr>`;
  render(
    html`<table><caption>Bars are logarithmic.</caption><thead><tr><th scope="col">protocol</th>${measures.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead><tbody>${outcomes.map(row)}</tbody></table>`,
    host,
  );
}
