/** A thread that verifies entries of a registry. */

import { parentPort } from 'node:worker_threads';
import type { ListedEntry } from '@tutti/certificates';
import { blsVariantOf, verifyEntry } from '@tutti/core';
import { EnvironmentError } from '@tutti/core/input';
import { type Engine, loadBls } from '@tutti/wasm-bls';
import type { ThreadReply } from '../threads/threadPool.ts';

/** Entries of a registry for a thread to verify. */
export interface EntriesTask {
  /** Index of the first of these entries. */
  readonly first: number;
  readonly entries: readonly ListedEntry[];
  readonly kernel: Engine;
}

/** Error for the first invalid entry; undefined if all entries are valid. */
export type EntriesAnswer = Pick<EnvironmentError, 'code' | 'message'> | undefined;

const port = parentPort!;

port.on('message', async (task: EntriesTask) => {
  port.postMessage(await reply(task));
});

async function reply({ first, entries, kernel }: EntriesTask): Promise<ThreadReply<EntriesAnswer>> {
  try {
    const bls = await loadBls({ engine: kernel, variant: blsVariantOf(entries) });
    for (const [i, entry] of entries.entries()) verifyEntry(entry, first + i, bls);
    return { answer: undefined };
  } catch (error) {
    if (error instanceof EnvironmentError) return { answer: { code: error.code, message: error.message } };
    return { failed: `cannot check the registry: ${(error as Error).message}` };
  }
}
