import { made } from '../made.ts';
import { figure } from '../numberWords.ts';
import { headCell } from '../views/wordTable.ts';
import type { Frontier, FrontierCell } from './networkFile.ts';
import { votingNames } from './networkWords.ts';

/**
 * The map of how long a slot must be: which lengths suffice on which machine, the frontier between them, and each
 * system's own slot as a dot. A system for which a length suffices is assumed to manage with a longer one.
 *
 * @param onPlay called with the point that is pressed, and its length, s.
 */
export function drawFrontier(
  host: HTMLElement,
  { slotSeconds, cells }: Frontier,
  onPlay: (cell: FrontierCell, seconds: number) => void,
): void {
  const table = made('table', { className: 'frontier' });
  const head = table.createTHead().insertRow();
  head.append(headCell('proposal, machine, or links', 'col'));
  for (const seconds of slotSeconds) head.append(headCell(`${seconds} s`, 'col'));
  for (const group of new Set(cells.map(groupOf))) {
    const body = table.createTBody();
    const name = headCell(group, 'rowgroup');
    name.colSpan = slotSeconds.length + 1;
    body.insertRow().append(name);
    for (const point of cells.filter((cell) => groupOf(cell) === group)) {
      const { ownSeconds, slotSeconds: shortest, played } = point;
      const row = body.insertRow();
      row.append(headCell(rowOf(point), 'row'));
      for (const seconds of slotSeconds) {
        const cell = row.insertCell();
        const does = shortest !== null && seconds >= shortest;
        const fails = played.some((one) => one.slotSeconds >= seconds && one.inReachPercent < 99);
        cell.className = does ? 'does' : fails ? 'fails' : 'open';
        cell.classList.toggle('first', seconds === shortest);
        const here = played.find((one) => one.slotSeconds === seconds);
        const press = made('button', {
          type: 'button',
          textContent: here === undefined ? '▸' : `${Math.floor(here.inReachPercent)} %`,
        });
        const words = here === undefined ? (does ? 'does' : fails ? 'does not' : 'not tried') : press.textContent;
        press.setAttribute('aria-label', `${words}: play ${group}, ${rowOf(point)}, ${seconds} s`);
        press.addEventListener('click', () => onPlay(point, seconds));
        cell.append(press);
        if (seconds !== ownSeconds) continue;
        const dot = made('span', {
          className: 'own-slot',
          innerHTML: '<span class="visually-hidden">the system’s slot</span>',
        });
        cell.append(' ', dot);
      }
    }
  }
  host.replaceChildren(table);
}

/** Where more than one thing is varied, a system with each proposal. */
function groupOf({ preset, inputs }: FrontierCell): string {
  const { links, proposal = 'none' } = inputs ?? {};
  if (links === undefined) return votingNames[preset];
  return `${votingNames[preset]}, ${proposal === 'none' ? 'nobody late' : proposal}`;
}

function rowOf({ value, inputs }: FrontierCell): string {
  const { links, machine, validators } = inputs ?? {};
  return links === undefined ? value : `${links}, ${machine}, ${figure(Number(validators))}`;
}
