import { DeskReplay, loadNetwork } from '@tutti/simulation';
import { answerTasks } from '../worker/task.ts';
import type { DeskRequest, FoundDesk } from './deskFinder.ts';

let replay: { readonly key: string; readonly desk: DeskReplay } | undefined;

answerTasks<DeskRequest, FoundDesk>(async ({ scenario, node, timeUs }) => {
  await loadNetwork(scenario.network);
  const key = JSON.stringify([scenario, node]);
  if (replay?.key !== key) replay = { key, desk: new DeskReplay(scenario, node) };
  return { digest: replay.desk.digest, desk: replay.desk.at(timeUs) };
});
