import { raceScenario, runRace } from '@tutti/core/experiments';
import type { ProtocolName } from '@tutti/core/simulation';

/** What the page asks for: one protocol's race, run here and now. */
export interface RaceRequest {
  readonly protocol: ProtocolName;
  readonly nodes: number;
  readonly dead: number;
}

export type RaceReport =
  | { readonly kind: 'progress'; readonly nowMs: number }
  | { readonly kind: 'done'; readonly digest: string }
  | { readonly kind: 'failed'; readonly message: string };

self.onmessage = ({ data }: MessageEvent<RaceRequest>) => {
  const report = (message: RaceReport) => self.postMessage(message);
  try {
    const { digest } = runRace(raceScenario(data.protocol, data.nodes, data.dead), (nowUs) =>
      report({ kind: 'progress', nowMs: nowUs / 1000 }),
    );
    report({ kind: 'done', digest });
  } catch (error) {
    report({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
};
