import type { RunResult, Spread } from '@tutti/simulation';
import { count, figure } from '../words.ts';

/** The result of the run, one line per quantity. */
export function drawNumbers(host: HTMLElement, result: RunResult): void {
  const rows: [string, Spread, (value: number) => string][] = [
    ['time to threshold, ms', result.timeToThresholdMs, (value) => value.toFixed(1)],
    ['messages sent', result.messagesSent, count],
    ['messages received', result.messagesReceived, count],
    ['kB sent', result.bytesSent, (value) => (value / 1000).toFixed(1)],
    ['contributions checked', result.checked, count],
  ];
  const table = document.createElement('table');
  const head = table.createTHead().insertRow();
  for (const title of ['a node', 'min', 'mean', 'max']) {
    const cell = document.createElement('th');
    cell.scope = 'col';
    cell.textContent = title;
    head.append(cell);
  }
  const body = table.createTBody();
  for (const [title, spread, format] of rows) {
    const row = body.insertRow();
    const name = document.createElement('th');
    name.scope = 'row';
    name.textContent = title;
    row.append(name);
    for (const value of [spread.min, spread.mean, spread.max]) row.insertCell().textContent = format(value);
  }
  const foot = document.createElement('p');
  foot.className = 'sub';
  foot.textContent = `${figure(result.reached)} of ${figure(result.live)} live nodes reached the threshold; ${count(result.messagesDelivered)} messages delivered, ${count(result.events)} events.`;
  host.replaceChildren(table, foot);
}
