import { html, nothing, render } from 'lit-html';
import type { RaceOutcome } from './raceFile.ts';
import { raceMeasures, raceTexts } from './raceText.ts';

/**
 * Draws time, bytes and checks of every protocol as a table with bars. The bars are logarithmic, because values differ
 * by factors of several hundred. A protocol with an unfinished node has no bar for the time.
 */
export function drawBars(host: HTMLElement, outcomes: readonly RaceOutcome[]): void {
  const columns = raceMeasures.map(({ words, of }) => ({ words, shares: barShares(outcomes.map(of)) }));
  const bar = (share: number | undefined) =>
    share === undefined ? nothing : html`<span class="bar" .style=${`width: ${100 * share}%`}></span>`;
  const row = (outcome: RaceOutcome, place: number) =>
    html`<tr class=${outcome.protocol === 'handel' ? 'first' : ''}><th scope="row">${raceTexts[outcome.protocol].title}</th>${columns.map(({ words, shares }) => html`<td><span class="bar-value">${words(outcome)}</span>${bar(shares[place])}</td>`)}</tr>`;
  render(
    html`<table><caption>Bars are logarithmic.</caption><thead><tr><th scope="col">protocol</th>${raceMeasures.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead><tbody>${outcomes.map(row)}</tbody></table>`,
    host,
  );
}

/**
 * Returns the lengths of logarithmic bars as shares of the width. The minimum value occupies a tenth of the width, and
 * the maximum value occupies the full width. Values that are 0 or infinite have no bar and are ignored.
 */
export function barShares(values: readonly number[]): readonly (number | undefined)[] {
  const logs = values.map(Math.log);
  const shown = logs.filter(Number.isFinite);
  const [min, max] = [Math.min(...shown), Math.max(...shown)];
  return logs.map((log) => {
    if (!Number.isFinite(log)) return undefined;
    return max === min ? 1 : 0.1 + (0.9 * (log - min)) / (max - min);
  });
}
