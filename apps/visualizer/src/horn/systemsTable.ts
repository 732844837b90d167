import { type HornSystem, hornSystems } from '@tutti/core/horn';
import type { SlotResult } from '@tutti/simulation/slots';
import { html, nothing, render } from 'lit-html';
import { figure } from '../numberWords.ts';
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
  const chooser = (system: HornSystem) =>
    html`<th scope="col"><button type="button" class="system choice" data-testid="see-${system}" aria-current=${system === shown ? 'true' : nothing} @click=${() => onChoose(system)}>${systemNames[system]}</button></th>`;
  const value = (cell: Cell, there: SystemState) =>
    there && 'result' in there
      ? html`<td>${cell(there.result)}</td>`
      : html`<td class="open">${there ? `${Math.floor(there.progress * 100)} %` : '–'}</td>`;
  const rows = lines.map(
    ([title, cell]) =>
      html`<tr><th scope="row">${title}</th>${hornSystems.map((system) => value(cell, state(system)))}</tr>`,
  );
  render(
    html`<table><thead><tr><th scope="col"></th>${hornSystems.map(chooser)}</tr></thead><tbody>${rows}</tbody></table>`,
    host,
  );
}
