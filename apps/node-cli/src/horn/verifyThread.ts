import { parentPort, workerData } from 'node:worker_threads';
import { loadBls, loadCommittees, type SumMethod } from '@tutti/wasm-bls';
import { CommitteeOfSlot, type PairingMethod, type SlotSettings } from './committeeOfSlot.ts';

/** Data with which a thread starts: a slot, and the thread's share of the committees. */
export interface VerifyThreadData {
  readonly settings: SlotSettings;
  readonly committees: readonly number[];
}

/** Task that a thread performs on its committees. The first task of a thread opens the committees. */
export type VerifyTask =
  | { readonly kind: 'open' }
  | { readonly kind: 'draw'; readonly votes: number }
  | { readonly kind: 'sum'; readonly method: SumMethod }
  | { readonly kind: 'verify'; readonly method: PairingMethod }
  | { readonly kind: 'corrupt' };

/**
 * Message from a thread: another collection or committee is complete, or the task is complete, with whether all results
 * were right.
 */
export type VerifyReply = 'step' | { readonly right: boolean };

const { settings, committees } = workerData as VerifyThreadData;
const [bls, kernel] = await Promise.all([loadBls({ engine: 'wasm' }), loadCommittees()]);
const opened: CommitteeOfSlot[] = [];
const say = (reply: VerifyReply): void => parentPort!.postMessage(reply);
const onStep = (): void => say('step');

function perform(task: VerifyTask): boolean {
  if (task.kind === 'open') {
    for (const index of committees) {
      opened.push(new CommitteeOfSlot(settings, index, bls, kernel));
      onStep();
    }
    return true;
  }
  return opened.map((committee) => performOn(committee, task)).every((right) => right);
}

function performOn(committee: CommitteeOfSlot, task: Exclude<VerifyTask, { kind: 'open' }>): boolean {
  if (task.kind === 'sum') return committee.sum(task.method, onStep);
  let right = true;
  if (task.kind === 'draw') committee.draw(task.votes);
  else right = task.kind === 'verify' ? committee.verify(task.method) : committee.refusesCorrupted();
  onStep();
  return right;
}

parentPort!.on('message', (task: VerifyTask) => say({ right: perform(task) }));
