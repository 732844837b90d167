import { defaultHandelConfig, MultiSignatureScheme, Tree } from '@tutti/core';
import { Group, MemoryNetwork, networkKey, Peer, type RoundPlan } from '@tutti/transports';
import { monotonicClock, monotonicNs, nodeCrypto } from '@tutti/transports/node';
import { insecureSeed } from '@tutti/wasm-bls';
import { expect, it } from 'vitest';
import { isWhole } from '../../../tests/sampled.ts';
import { loadPixel, stolenKeyReport } from './index.ts';
import { openSigners, pixelKernel } from './signers.ts';

const pixel = await loadPixel();
const noEntropy = new Uint8Array();
const message = new TextEncoder().encode('tutti');
const planOf = (number: number): RoundPlan => ({ number, message, seed: new Uint8Array(32), period: number });
const pairOf = (index: number) => pixel.keyGen(insecureSeed('signing', 1, index + 1));

it('refuses a contribution of another period or suite by its bytes, without curve operations', () => {
  const tree = new Tree(4);
  const scheme = (number: number) =>
    new MultiSignatureScheme({ tree, kernel: pixelKernel(pixel).forRound!(planOf(number)) });
  const signature = pixel.sign(pairOf(0).secretKey, message);
  const bytes = new Uint8Array(200);
  const first = scheme(1);
  const length = first.encode(first.individual(0, signature), bytes, 0);
  expect(length).toBe(1 + 149);
  const block = tree.leaf(0);
  expect(scheme(1).decode(block, bytes.subarray(0, length), 0)).toMatchObject({ ok: true, end: length });
  expect(scheme(2).decode(block, bytes.subarray(0, length), 0)).toEqual({ ok: false, code: 'wrong-period' });
  bytes[1]! ^= 1;
  expect(scheme(1).decode(block, bytes.subarray(0, length), 0)).toEqual({ ok: false, code: 'wrong-suite' });
});

it('a signer refuses a period earlier than its last one', async () => {
  const { sign } = (await openSigners('wasm')).signer(1, 0);
  sign(message, planOf(2));
  expect(() => sign(message, planOf(1))).toThrow(/^time: expected an integer from 3 /);
});

it.runIf(isWhole)(
  'members run rounds with increasing periods; contributions of a late member are refused and counted',
  async () => {
    const size = 4;
    const laggard = 3;
    const network = new MemoryNetwork();
    const transports = Array.from({ length: size }, () => network.open());
    const secrets = Array.from({ length: size }, (_, index) => new Uint8Array(32).fill(index + 1));
    const keys = transports.map((_, index) => pairOf(index));
    const entries = keys.map(({ publicKey }, index) => ({
      publicKey,
      networkKey: networkKey(nodeCrypto, secrets[index]!).publicKey,
      endpoint: transports[index]!.local,
    }));
    const groupOf = () => new Group({ crypto: nodeCrypto, kernel: pixelKernel(pixel), entries });
    const together = groupOf();
    const secretKeys = keys.map(({ secretKey }) => secretKey);
    const sign = (index: number, period: number): Uint8Array => {
      if (period > 1) secretKeys[index] = pixel.update(secretKeys[index]!, period, noEntropy);
      return pixel.sign(secretKeys[index]!, message);
    };
    const outputs = new Map<string, Uint8Array>();
    const peers = transports.map(
      (transport, index) =>
        new Peer({
          // The lagging member has its own group object, so it does not share the public data of a round with the
          // others.
          group: index === laggard ? groupOf() : together,
          index,
          networkSecret: secrets[index]!,
          sign: (_, { period }) => sign(index, period!),
          transport,
          clock: monotonicClock(monotonicNs()),
          config: { ...defaultHandelConfig, threshold: size - 1, levelStartMs: 5 },
          onOutput: ({ round, output }) => void outputs.set(`${round} ${index}`, output!.signature),
          onFailure: (error) => {
            throw error;
          },
        }),
    );
    const refusedBy = (index: number) => peers[index]!.totals().refused['wrong-period'] ?? 0;
    for (const number of [1, 2]) {
      // The lagging member opens a round of the same session while it is still in period 1.
      for (const [index, peer] of peers.entries())
        peer.open({ ...planOf(number), period: index === laggard ? 1 : number });
      for (const peer of peers) peer.start(number);
      const honest = [0, 1, 2].map((index) => `${number} ${index}`);
      while (
        !honest.every((name) => outputs.has(name)) ||
        (number === 2 && refusedBy(0) + refusedBy(1) + refusedBy(2) === 0)
      )
        await new Promise(setImmediate);
      if (number === 1) expect([0, 1, 2, 3].map(refusedBy)).toEqual([0, 0, 0, 0]);
    }
    const three = pixel.aggregatePublicKeys(entries.slice(0, size - 1).map(({ publicKey }) => publicKey));
    expect(pixel.verify(three, 2, message, outputs.get('2 0')!)).toBe(true);
    expect(refusedBy(laggard)).toBeGreaterThan(0);
    await Promise.all(peers.map((peer) => peer.close()));
  },
);

it('a stolen key signs at its period, and for no earlier period', () => {
  const { publicKey, secretKey } = pairOf(0);
  const stolen = pixel.update(secretKey, 8, noEntropy);
  const report = stolenKeyReport(pixel, publicKey, stolen, [7, 6, 1], () => message);
  expect(report).toMatchObject({ period: 8, signsAtOwnPeriod: true });
  expect(report.earlier.map(({ period, forged }) => [period, forged])).toEqual([
    [7, false],
    [6, false],
    [1, false],
  ]);
  // The report relies only on its attempts, so it must report a forgery with this key of an earlier period.
  const first = pairOf(0).secretKey;
  expect(stolenKeyReport(pixel, publicKey, first, [5], () => message).earlier[0]).toMatchObject({
    period: 5,
    forged: true,
  });
});
