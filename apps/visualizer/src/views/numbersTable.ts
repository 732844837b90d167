import type { RunResult, Spread } from '@tutti/simulation';
import { html, render } from 'lit-html';
import { count, figure } from '../numberWords.ts';
import { wordTable } from './wordTable.ts';

/** The result of the run, one line per quantity. */
export function drawNumbers(host: HTMLElement, result: RunResult): void {
  const rows: [string, Spread, (value: number) => string][] = [
    ['time to threshold, ms', result.timeToThresholdMs, (value) => value.toFixed(1)],
    ['messages sent', result.messagesSent, count],
    ['messages received', result.messagesReceived, count],
    ['kB sent', result.bytesSent, (value) => (value / 1000).toFixed(1)],
    ['contributions checked', result.checked, count],
  ];
  const lines = rows.map(([title, { min, mean, max }, format]) => [title, ...[min, mean, max].map(format)]);
  render(
    html`${wordTable(['a node', 'min', 'mean', 'max'], lines)}<p class="sub">${figure(result.reached)} of ${figure(result.live)} live nodes reached the threshold; ${count(result.messagesDelivered)} messages delivered, ${count(result.events)} events.</p>`,
    host,
  );
}
