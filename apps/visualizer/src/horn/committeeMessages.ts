import type { CommitteeRun } from '@tutti/core/experiments';
import type { SlotScenario } from '@tutti/core/horn';

/** What the page asks of the worker that plays Handel on a committee of a slot. */
export interface CommitteeRequest {
  readonly slot: SlotScenario;
  readonly mostNodes: number;
}

export type CommitteeReport =
  | { readonly kind: 'done'; readonly run: CommitteeRun }
  | { readonly kind: 'failed'; readonly message: string };
