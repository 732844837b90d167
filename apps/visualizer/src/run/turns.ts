const everyMs = 20;
const turns = ['tree', 'steps', 'words'] as const;

/** What of a large run's figures is drawn in turn. */
export type Turn = (typeof turns)[number];

/** Whose turn it is to be drawn: one at a time, and none before the last had its time. */
export class Turns {
  #turn = 0;
  #atMs = 0;

  /** @returns undefined while it is nobody's turn. */
  next(): Turn | undefined {
    const now = performance.now();
    if (now - this.#atMs < everyMs) return undefined;
    this.#atMs = now;
    this.#turn = (this.#turn + 1) % turns.length;
    return turns[this.#turn];
  }
}
