import { render } from 'lit-html';
import { figure } from '../numberWords.ts';
import { wordTable } from '../views/wordTable.ts';
import type { NetworkLane } from './networkFile.ts';

/** What a node of each class has to do in the slot, on average. */
export function drawLoads(host: HTMLElement, { result, scenario }: NetworkLane): void {
  const lines = scenario.links.map(({ name, downMbps, upMbps }, of) => {
    const { receivedBytes, sentBytes, copies, duplicates, coreSeconds } = result.loads[of]!;
    return [
      name,
      `${figure(downMbps)}/${figure(upMbps)}`,
      (receivedBytes / 1e6).toFixed(1),
      (sentBytes / 1e6).toFixed(1),
      `${((100 * duplicates) / Math.max(1, copies)).toFixed(0)} %`,
      coreSeconds.toFixed(2),
    ];
  });
  const columns = ['a node', 'Mbps down/up', 'MB in', 'MB out', 'duplicates', 'core seconds'];
  render(wordTable(columns, lines), host);
}
