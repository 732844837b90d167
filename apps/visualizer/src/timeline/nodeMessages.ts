import { LineKind, type Recording } from '@tutti/simulation';

/** The messages of one node, as lines of the recording in order of departure; those that were lost on their way too. */
export interface NodeMessages {
  readonly came: Int32Array;
  readonly went: Int32Array;
}

export function nodeMessages({ length, kind, node, peer }: Recording, id: number): NodeMessages {
  const came: number[] = [];
  const went: number[] = [];
  for (let line = 0; line < length; line++) {
    if (kind[line] !== LineKind.send) continue;
    if (peer[line] === id) came.push(line);
    if (node[line] === id) went.push(line);
  }
  return { came: Int32Array.from(came), went: Int32Array.from(went) };
}
