import { encodeRecording } from '@tutti/core/simulation';
import type { SaveReport, SaveRequest } from './savingMessages.ts';
import { Assembly } from './savingPieces.ts';

const assembly = new Assembly();

self.onmessage = async ({ data }: MessageEvent<SaveRequest>) => {
  try {
    if (data.kind === 'piece') {
      assembly.add(data.piece);
      return report({ kind: 'more' });
    }
    const plain = new Blob([encodeRecording(assembly.whole(data.rest))]).stream();
    // As `tutti simulate --record` writes it: compressed, which takes a third.
    const file = await new Response(plain.pipeThrough(new CompressionStream('gzip'))).blob();
    report({ kind: 'file', file });
  } catch (error) {
    report({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
};

function report(message: SaveReport): void {
  self.postMessage(message);
}
