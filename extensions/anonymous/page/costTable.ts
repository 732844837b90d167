import { ringCosts, ringSizes } from '@tutti/anonymous/runtime';
import { count } from '@tutti/visualizer/formatNumber';
import { createElement } from '@tutti/visualizer/html';
import { headRow, namedRow } from './tagTables.ts';

/**
 * Draws the costs of rings of each size to a member of a set-up with traceable signatures, and how well rings of each
 * size hide the member.
 *
 * @param known share of the other members that reveal their keys, [0, 1].
 * @param multiplicationUs measured time of a multiplication in the group, µs; undefined until the time has been
 * measured.
 */
export function drawCosts(
  table: HTMLTableElement,
  members: number,
  known: number,
  multiplicationUs: number | undefined,
): void {
  const costs = ringSizes(members).map((size) => ringCosts(members, size, known));
  const multiplications = costs.map(({ traceableMultiplications }) => traceableMultiplications);
  const what = [
    'time to verify all signatures',
    'mean anonymity set',
    'risk of identification',
    'bytes per registration',
  ];
  table.createTHead().replaceChildren(headRow(['ring size', ...what]));
  const body = table.tBodies[0] ?? table.createTBody();
  body.replaceChildren(
    ...costs.map(({ size, hiddenAmong, exposedChance, traceableBytes }, i) => {
      const line = namedRow(count(size));
      line.append(
        bar(
          'cost',
          logShare(multiplications[i]!, multiplications[0]! / 2, multiplications.at(-1)!),
          multiplicationUs === undefined ? '…' : duration((multiplications[i]! * multiplicationUs) / 1e6),
        ),
        bar('hiding', logShare(hiddenAmong, 0.7, members), count(hiddenAmong)),
      );
      line.insertCell().textContent = chanceWords(exposedChance);
      line.insertCell().textContent = count(traceableBytes);
      return line;
    }),
  );
}

function bar(kind: string, share: number, words: string): HTMLTableCellElement {
  const cell = createElement('td', { className: `bar ${kind}` });
  const stroke = document.createElement('i');
  // The rest of the width is for the text.
  stroke.style.width = `calc(${share.toFixed(4)} * (100% - 5.5em))`;
  cell.append(stroke, createElement('span', { textContent: words }));
  return cell;
}

/** Formats a duration in ms, s, min or h; at least 1 ms. */
export function duration(seconds: number): string {
  if (seconds < 0.1) return `${Math.max(1, Math.round(seconds * 1000))} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** Formats a probability in the form "1 in a number". */
export function chanceWords(chance: number): string {
  if (chance === 0) return '0';
  if (chance >= 1) return 'certain';
  if (chance < 1e-9) return 'under 1 in 10⁹';
  const oneIn = 1 / chance;
  if (oneIn < 1.1) return `1 in ${oneIn.toFixed(2)}`;
  return `1 in ${count(oneIn < 10 ? oneIn : Math.round(oneIn))}`;
}

/** Returns the length of a bar on a logarithmic scale: 0 for the value `least`, 1 for the value `most`. */
export function logShare(value: number, least: number, most: number): number {
  return most <= least ? 1 : Math.log(value / least) / Math.log(most / least);
}
