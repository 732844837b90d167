/** Load of each node that earlier layers leave to a layer. */
export interface Burden {
  /** Bytes that wait for its links when the layer begins. */
  readonly up: Float64Array;
  readonly down: Float64Array;
  /** Additional bytes per microsecond that its links carry for earlier layers, throughout the layer. */
  readonly upRate: Float64Array;
  readonly downRate: Float64Array;
  /** Microseconds of work for one core that its cores still have when the layer begins. */
  readonly coreUs: Float64Array;
}

/** Load of each node that a slot leaves to the next one. */
export type SlotBacklog = Pick<Burden, 'up' | 'down' | 'coreUs'>;
