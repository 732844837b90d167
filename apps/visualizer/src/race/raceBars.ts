import { html, render } from 'lit-html';
import { count } from '../formatNumber.ts';
import type { RaceOutcome } from './raceFile.ts';
import { amount, raceTitles, seconds } from './raceText.ts';

interface RaceMeasure {
  readonly title: string;
  readonly of: (outcome: RaceOutcome) => number;
  readonly words: (outcome: RaceOutcome) => string;
}

const measures: readonly RaceMeasure[] = [
  {
    title: 'until the last node holds 99 %',
    of: ({ lastMs }) => lastMs,
    words: ({ lastMs, reached, live }) => (reached < live ? `${live - reached} never` : seconds(lastMs)),
  },
  { title: 'sent by a node', of: ({ bytesSent }) => bytesSent, words: ({ bytesSent }) => amount(bytesSent) },
  {
    title: 'signatures checked by a node',
    of: ({ checked }) => checked,
    words: ({ checked }) => (checked < 100 ? checked.toFixed(1) : count(Math.round(checked))),
  },
];

/**
 * Draws time, bytes and verifications of every protocol at one size, as bars from zero, so that lengths are
 * proportional.
 */
export function drawBars(host: HTMLElement, outcomes: readonly RaceOutcome[]): void {
  const bars = ({ title, of, words }: RaceMeasure) => {
    const most = Math.max(...outcomes.map(of));
    const bar = (outcome: RaceOutcome) =>
      html`<dt>${raceTitles[outcome.protocol]}</dt><dd><span class=${outcome.protocol === 'handel' ? 'bar first' : 'bar'} .style=${`width: ${(100 * of(outcome)) / most}%`}></span><span class="bar-value">${words(outcome)}</span></dd>`;
    return html`<figure><figcaption>${title}</figcaption><dl>${outcomes.map(bar)}</dl></figure>`;
  };
  render(measures.map(bars), host);
}
