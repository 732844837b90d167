/** Load of each node that earlier layers leave to a layer. */
export interface Burden {
  /** Bytes that wait for each node's links when the layer begins. */
  readonly up: Float64Array;
  readonly down: Float64Array;
  /** Additional bytes per microsecond that each node's links carry for earlier layers, throughout the layer. */
  readonly upRate: Float64Array;
  readonly downRate: Float64Array;
  /** Work that each node's cores still have when the layer begins, in microseconds of one core. */
  readonly coreUs: Float64Array;
}

/** Load of each node that a slot leaves to the next one. */
export type SlotBacklog = Pick<Burden, 'up' | 'down' | 'coreUs'>;
