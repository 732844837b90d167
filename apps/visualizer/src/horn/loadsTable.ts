import { figure } from '../words.ts';
import { headCell } from './headCell.ts';
import type { NetworkLane } from './networkFile.ts';

/** What a node of each class has to do in the slot, on average. */
export function drawLoads(host: HTMLElement, { result, scenario }: NetworkLane): void {
  const table = document.createElement('table');
  const head = table.createTHead().insertRow();
  for (const words of ['a node', 'Mbps down/up', 'MB in', 'MB out', 'duplicates', 'core seconds'])
    head.append(headCell(words, 'col'));
  const body = table.createTBody();
  scenario.links.forEach(({ name, downMbps, upMbps }, of) => {
    const { receivedBytes, sentBytes, copies, duplicates, coreSeconds } = result.loads[of]!;
    const row = body.insertRow();
    row.append(headCell(name, 'row'));
    for (const words of [
      `${figure(downMbps)}/${figure(upMbps)}`,
      (receivedBytes / 1e6).toFixed(1),
      (sentBytes / 1e6).toFixed(1),
      `${((100 * duplicates) / Math.max(1, copies)).toFixed(0)} %`,
      coreSeconds.toFixed(2),
    ])
      row.insertCell().textContent = words;
  });
  host.replaceChildren(table);
}
