/** For each node, the load that earlier layers leave to a layer. */
export interface Burden {
  /** Bytes that wait for its links when the layer begins. */
  readonly up: Float64Array;
  readonly down: Float64Array;
  /** Bytes a microsecond that its links carry of earlier layers on top, all through the layer. */
  readonly upRate: Float64Array;
  readonly downRate: Float64Array;
  /** Microseconds of one core that its cores still have to work when the layer begins. */
  readonly coreUs: Float64Array;
}

/** For each node, what a slot leaves to the next when it ends. */
export type SlotBacklog = Pick<Burden, 'up' | 'down' | 'coreUs'>;
