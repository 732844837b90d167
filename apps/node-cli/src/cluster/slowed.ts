import { FaultyNode } from '@tutti/simulation/engine';
import type { RoundProtocol } from '@tutti/transports';

/** Returns the protocol on a slow machine: each verification takes `factor` times as long, as in simulated faults. */
export function slowed(protocol: RoundProtocol, factor: number): RoundProtocol {
  const slow = [{ fromUs: 0, untilUs: Number.POSITIVE_INFINITY, factor }];
  return {
    messages: protocol.messages,
    createNode: (place, port) =>
      new FaultyNode({
        faults: { outages: [], slow, skewUs: 0, rate: 1 },
        port,
        scheme: place.round.scheme,
        make: (inner) => protocol.createNode(place, inner),
        onStateLost() {},
        count() {},
      }),
  };
}
