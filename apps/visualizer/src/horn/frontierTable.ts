import type { Frontier } from './networkFile.ts';
import { votingNames } from './networkWords.ts';

/**
 * The map of how long a slot must be: which lengths suffice on which machine, the frontier between them, and each
 * system's own slot as a dot. A system for which a length suffices is assumed to manage with a longer one.
 */
export function drawFrontier(host: HTMLElement, { slotSeconds, cells }: Frontier): void {
  const table = document.createElement('table');
  table.className = 'frontier';
  const head = table.createTHead().insertRow();
  head.append(headCell('machine, 4 cores', 'col'));
  for (const seconds of slotSeconds) head.append(headCell(`${seconds} s`, 'col'));
  for (const preset of new Set(cells.map((cell) => cell.preset))) {
    const body = table.createTBody();
    const name = headCell(votingNames[preset], 'rowgroup');
    name.colSpan = slotSeconds.length + 1;
    body.insertRow().append(name);
    for (const { value, ownSeconds, slotSeconds: shortest, played } of cells.filter((cell) => cell.preset === preset)) {
      const row = body.insertRow();
      row.append(headCell(value, 'row'));
      for (const seconds of slotSeconds) {
        const cell = row.insertCell();
        const does = shortest !== null && seconds >= shortest;
        const fails = played.some((one) => one.slotSeconds >= seconds && one.inReachPercent < 99);
        cell.className = does ? 'does' : fails ? 'fails' : 'open';
        cell.classList.toggle('first', seconds === shortest);
        const here = played.find((one) => one.slotSeconds === seconds);
        const words = document.createElement('span');
        words.className = here === undefined ? 'visually-hidden' : 'played';
        const percent = here === undefined ? '' : `${Math.floor(here.inReachPercent)} %`;
        words.textContent = here === undefined ? (does ? 'does' : fails ? 'does not' : 'not tried') : percent;
        cell.append(words);
        if (seconds !== ownSeconds) continue;
        const dot = document.createElement('span');
        dot.className = 'own-slot';
        dot.innerHTML = '<span class="visually-hidden">the system’s slot</span>';
        cell.append(' ', dot);
      }
    }
  }
  host.replaceChildren(table);
}

function headCell(words: string, scope: string): HTMLTableCellElement {
  const cell = document.createElement('th');
  cell.scope = scope;
  cell.textContent = words;
  return cell;
}
