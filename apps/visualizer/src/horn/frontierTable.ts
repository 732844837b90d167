import { html, nothing, render } from 'lit-html';
import { download } from '../files.ts';
import { count } from '../formatNumber.ts';
import { messageOf } from '../worker/task.ts';
import type { Frontier, FrontierCell } from './networkFile.ts';
import { votingNames } from './networkText.ts';

/**
 * Adds buttons that export the map of the shortest slots as a table.
 *
 * @param version version of the code that computed the map.
 */
export function saveMapOnPress(host: HTMLElement, frontier: Frontier, version: string): void {
  const note = host.querySelector<HTMLElement>('[role="status"]')!;
  for (const form of ['csv', 'parquet'] as const)
    host.querySelector(`[data-table="${form}"]`)!.addEventListener('click', async () => {
      try {
        // The code is loaded on demand, because few readers export the map.
        const { mapFile } = await import('./mapTable.ts');
        download(await mapFile(frontier, version, form), `tutti-slots.${form}`);
        note.textContent = 'Saved';
      } catch (error) {
        note.textContent = `The table could not be saved: ${messageOf(error)}`;
      }
    });
}

/**
 * Draws the map of the minimum slot length: the sufficient and the insufficient lengths for each proposal, machine or
 * link preset, with each system's own length as a dot. Lengths above a sufficient length are assumed to be sufficient,
 * and lengths below an insufficient length to be insufficient.
 *
 * @param onChoose called with the chosen point and its length, s.
 */
export function drawFrontier(
  host: HTMLElement,
  { slotSeconds, cells }: Frontier,
  onChoose: (cell: FrontierCell, seconds: number) => void,
): void {
  const cellAt = (point: FrontierCell, seconds: number) => {
    const { ownSeconds, slotSeconds: shortest, simulated } = point;
    const [kind, assumed] = sufficiencyOf(point, seconds);
    const here = simulated.find((one) => one.slotSeconds === seconds);
    const share = here && `${Math.floor(here.inReachPercent)} %`;
    const dot = html` <span class="own-slot"><span class="visually-hidden">the system’s slot</span></span>`;
    return html`<td class="${kind}${seconds === shortest ? ' first' : ''}"><button type="button" aria-label="${share ?? assumed}: simulate ${groupOf(point)}, ${rowOf(point)}, ${seconds} s" @click=${() => onChoose(point, seconds)}>${share ?? '▸'}</button>${seconds === ownSeconds ? dot : nothing}</td>`;
  };
  const row = (point: FrontierCell) =>
    html`<tr><th scope="row">${rowOf(point)}</th>${slotSeconds.map((seconds) => cellAt(point, seconds))}</tr>`;
  const group = (name: string) =>
    html`<tbody><tr><th scope="rowgroup" colspan=${slotSeconds.length + 1}>${name}</th></tr>${cells.filter((cell) => groupOf(cell) === name).map(row)}</tbody>`;
  const head = slotSeconds.map((seconds) => html`<th scope="col">${seconds} s</th>`);
  render(
    html`<table class="frontier"><thead><tr><th scope="col">proposal, machine, or links</th>${head}</tr></thead>${[...new Set(cells.map(groupOf))].map(group)}</table>`,
    host,
  );
}

/** Returns whether a slot length is sufficient for a point, as the class of a cell and in words. */
function sufficiencyOf({ slotSeconds, simulated }: FrontierCell, seconds: number): [kind: string, words: string] {
  if (slotSeconds !== null && seconds >= slotSeconds) return ['does', 'sufficient'];
  if (simulated.some((one) => one.slotSeconds >= seconds && one.inReachPercent < 99)) return ['fails', 'too short'];
  return ['open', 'not simulated'];
}

/** Returns the title of a point's group: its system and, if the points also differ in their links, its proposal. */
function groupOf({ preset, inputs }: FrontierCell): string {
  const { links, proposal = 'none' } = inputs ?? {};
  if (links === undefined) return votingNames[preset];
  return `${votingNames[preset]}, ${proposal === 'none' ? 'no late votes' : proposal}`;
}

/** Returns the title of a point's row: the settings in which the point differs from the others in its group. */
function rowOf({ value, inputs }: FrontierCell): string {
  const { links, machine, validators } = inputs ?? {};
  return links === undefined ? value : `${links}, ${machine}, ${count(Number(validators))}`;
}
