import { type HornSystem, hornSystems } from '@tutti/core/horn';
import type { SlotResult } from '@tutti/ethereum';
import { made } from '../made.ts';
import { figure } from '../numberWords.ts';
import { headCell } from '../views/wordTable.ts';
import { megabytes, percent, systemNames } from './words.ts';

type Cell = (result: SlotResult) => string;

/** What is compared, a line each. */
const lines: readonly (readonly [title: string, cell: Cell])[] = [
  ['votes in the slot', ({ votes }) => figure(votes.cast)],
  ['99 % in reach, s', ({ blockReachMs }) => (blockReachMs === null ? 'never' : (blockReachMs / 1000).toFixed(2))],
  ['the slot ends, s', ({ slotEndMs }) => (slotEndMs / 1000).toFixed(0)],
  ['in reach by then', ({ votes }) => percent(votes.inReach, votes.cast)],
  ['messages on the global topic', ({ topics }) => figure(topics.global.messages)],
  ['MB, each message once', ({ topics }) => megabytes(topics.global.bytes)],
  ['MB a full node receives', ({ topics }) => (topics.global.memberBytes / 1e6).toFixed(1)],
  ['seconds to verify them, one core', ({ verificationSeconds }) => verificationSeconds.total.toFixed(2)],
];

/** What there is of one system: its result, or how far it is. */
export type SystemState = { readonly result: SlotResult } | { readonly progress: number } | undefined;

/** The three systems side by side, each as far as it has been played. */
export function drawSystems(
  host: HTMLElement,
  state: (system: HornSystem) => SystemState,
  shown: HornSystem | undefined,
  onChoose: (system: HornSystem) => void,
): void {
  const table = document.createElement('table');
  const head = table.createTHead().insertRow();
  head.append(headCell('', 'col'));
  for (const system of hornSystems) {
    const cell = headCell('', 'col');
    const button = made('button', {
      type: 'button',
      className: 'system choice',
      textContent: systemNames[system],
      dataset: { testid: `see-${system}` },
    });
    if (system === shown) button.setAttribute('aria-current', 'true');
    button.addEventListener('click', () => onChoose(system));
    cell.append(button);
    head.append(cell);
  }
  const body = table.createTBody();
  for (const [title, cell] of lines) {
    const row = body.insertRow();
    row.append(headCell(title, 'row'));
    for (const system of hornSystems) {
      const there = state(system);
      const value = row.insertCell();
      if (there && 'result' in there) value.textContent = cell(there.result);
      else {
        value.className = 'open';
        value.textContent = there ? `${Math.floor(there.progress * 100)} %` : '–';
      }
    }
  }
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.testid : undefined;
  host.replaceChildren(table);
  if (focused?.startsWith('see-')) host.querySelector<HTMLElement>(`[data-testid="${focused}"]`)?.focus();
}
