import { encodeRecording } from '@tutti/simulation';
import { answerTasks } from './answerTasks.ts';
import { Assembly, type SaveRequest } from './savingPieces.ts';

const assembly = new Assembly();

/** Answers the last request with the file, and each piece before it with undefined. */
answerTasks<SaveRequest, Blob | undefined>(async (request) => {
  if (request.kind === 'piece') {
    assembly.add(request.piece);
    return undefined;
  }
  const plain = new Blob([encodeRecording(assembly.whole(request.rest))]).stream();
  // The file is compressed as by `tutti simulate --record`, which reduces the size to a third.
  return new Response(plain.pipeThrough(new CompressionStream('gzip'))).blob();
});
