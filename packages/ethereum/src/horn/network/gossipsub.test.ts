import { expect, it } from 'vitest';
import { ethereumGossipsub, type GossipsubParameters, validateGossipsub } from './gossipsub.ts';

it.each([
  ['d', 6, 12],
  ['dLow', 1, 8],
  ['dHigh', 8, 128],
  ['dLazy', 0, 128],
  ['heartbeatMs', 1, 60_000],
  ['historyGossip', 1, 16],
  ['idontwantBytes', 0, 2 ** 24],
  ['forwardWaitMs', 0, 600_000],
  ['publishWaitMs', 0, 600_000],
  ['overheadBytes', 0, 4096],
  ['idBytes', 0, 256],
] satisfies readonly (readonly [keyof GossipsubParameters, number, number])[])(
  '%s ranges from %d to %d with the other values of Ethereum',
  (name, min, max) => {
    const withValue = (value: number | undefined) => () => validateGossipsub({ ...ethereumGossipsub, [name]: value });
    for (const value of [min, max]) expect(withValue(value)).not.toThrow();
    for (const value of [min - 1, max + 1]) expect(withValue(value)).toThrow(RangeError);
  },
);

it('refuses bundles that are no object', () => {
  expect(() => validateGossipsub({ ...ethereumGossipsub, bundles: null as never })).toThrow(
    /^bundles: expected an object/,
  );
});

it('unlimited waiting and no IDONTWANT are undefined', () => {
  const open = { idontwantBytes: undefined, forwardWaitMs: undefined, publishWaitMs: undefined };
  expect(() => validateGossipsub({ ...ethereumGossipsub, ...open })).not.toThrow();
});
