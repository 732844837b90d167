import type { RegistryTerms, WireForm } from '@tutti/core';
import { Group, type GroupOptions } from '@tutti/transports';
import type { Bls } from '@tutti/wasm-bls';

/**
 * Returns a registry for the peers of this process, which share keys, rounds and batches of verifications on this
 * thread.
 */
export function localGroup(
  bls: Bls,
  { entries, epoch, threshold, margin }: Pick<GroupOptions, 'entries' | keyof RegistryTerms>,
  form: WireForm = 'compressed',
): Group {
  return new Group({ kernel: bls, entries, epoch, threshold, margin, form });
}
