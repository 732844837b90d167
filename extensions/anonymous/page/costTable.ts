import { linkable, traceable } from '@tutti/anonymous/ring';
import { ringCosts, ringSizes } from '@tutti/anonymous/runtime';
import { made } from '@tutti/visualizer/made';
import { count } from '@tutti/visualizer/numberWords';
import { chanceWords, duration, logShare } from './costWords.ts';
import type { TimingReport } from './ringMessages.ts';
import { row } from './tagTables.ts';

/** A multiplication before it was measured here, microseconds. */
const someMultiplicationUs = 100;

/**
 * What rings of each size cost a member of a set-up with traceable signatures, and how well they hide it.
 *
 * @param known share of the others who tell which keys are theirs, [0, 1].
 */
export function drawCosts(
  table: HTMLTableElement,
  members: number,
  known: number,
  timing: TimingReport | undefined,
): void {
  const costs = ringSizes(members).map((size) => ringCosts(members, size, known, { linkable, traceable }));
  const seconds = costs.map(
    ({ traceableMultiplications }) =>
      (traceableMultiplications * (timing?.traceable ?? someMultiplicationUs)) / 1_000_000,
  );
  const what = ['verifying everybody’s, here', 'hidden among, on average', 'all others tell', 'bytes each registers'];
  table.createTHead().replaceChildren(row('th', ['ring', ...what]));
  const body = table.tBodies[0] ?? table.createTBody();
  body.replaceChildren(
    ...costs.map(({ size, hiddenAmong, exposedChance, traceableBytes }, i) => {
      const line = row('td', [count(size)]);
      line.append(
        bar('cost', logShare(seconds[i]!, seconds[0]! / 2, seconds.at(-1)!), timing ? duration(seconds[i]!) : '…'),
        bar('hiding', logShare(hiddenAmong, 0.7, members), count(Math.round(hiddenAmong * 10) / 10)),
      );
      line.insertCell().textContent = chanceWords(exposedChance);
      line.insertCell().textContent = count(traceableBytes);
      return line;
    }),
  );
}

function bar(kind: string, share: number, words: string): HTMLTableCellElement {
  const cell = made('td', { className: `bar ${kind}` });
  const stroke = document.createElement('i');
  // Beside it there is room for the words.
  stroke.style.width = `calc(${share.toFixed(4)} * (100% - 5.5em))`;
  cell.append(stroke, made('span', { textContent: words }));
  return cell;
}
