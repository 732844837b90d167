import type { Scenario } from '@tutti/core/simulation';
import { type Desk, DeskReplay } from '@tutti/core/simulation';

/** One moment of one node's desk. */
export interface DeskRequest {
  readonly scenario: Scenario;
  readonly node: number;
  readonly timeUs: number;
}

export type DeskAnswer =
  | { readonly kind: 'desk'; readonly digest: string; readonly desk: Desk | undefined }
  | { readonly kind: 'failed'; readonly message: string };

let replay: { readonly key: string; readonly desk: DeskReplay } | undefined;

self.onmessage = ({ data: { scenario, node, timeUs } }: MessageEvent<DeskRequest>) => {
  const answer = (message: DeskAnswer) => self.postMessage(message);
  try {
    const key = JSON.stringify([scenario, node]);
    if (replay?.key !== key) replay = { key, desk: new DeskReplay(scenario, node) };
    answer({ kind: 'desk', digest: replay.desk.digest, desk: replay.desk.at(timeUs) });
  } catch (error) {
    answer({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
};
