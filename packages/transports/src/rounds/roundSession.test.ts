import { defaultHandelConfig } from '@tutti/core';
import { insecureSecretKey, insecureSeed, loadBls } from '@tutti/wasm-bls';
import { expect, it } from 'vitest';
import { closing, until } from '../../test/compliance.ts';
import { entryOf } from '../../test/entryOf.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { MemoryNetwork } from '../transport/memory.ts';
import { Group } from './group.ts';
import { RoundSession } from './roundSession.ts';

const bls = await loadBls();
const secrets = [0, 1].map((index) => insecureSeed('network', 1, index));
const message = new TextEncoder().encode('m');
const seed = new Uint8Array(32).fill(9);

/** Creates both sessions of a round with two members and the given verifier. The sessions' clock always shows 5 ms. */
function sessions(verify: () => Promise<boolean>) {
  const network = new MemoryNetwork();
  const transports = secrets.map(() => network.open());
  const group = new Group({
    crypto: nodeCrypto,
    kernel: bls,
    entries: transports.map(({ local }, index) => entryOf(bls, index, local)),
    openVerifier: () => ({
      verifyBatch: async (claims) => Promise.all(claims.map(() => verify())),
      close: async () => {},
    }),
  });
  const round = group.enter({ number: 1, message, seed });
  const failures: Error[] = [];
  const made = secrets.map(
    (networkSecret, index) =>
      new RoundSession({
        ...{ group, round, index, networkSecret, crypto: nodeCrypto, transport: transports[index]! },
        signature: bls.sign(insecureSecretKey(bls, 1, index), message),
        clock: { nowUs: () => 5000 },
        config: { ...defaultHandelConfig, threshold: 2 },
        onOutput: () => {},
        onFailure: (error) => failures.push(error),
        onInvalid: () => {},
        isBanned: () => false,
      }),
  );
  made.forEach(closing);
  return { sessions: made as [RoundSession, RoundSession], failures };
}

it('measures its times from the start of the round', async () => {
  const { sessions: both } = sessions(async () => true);
  const [early, late] = both;
  expect(() => early.start(5001)).toThrow('clock: expected the common start to have passed');
  expect(both.map(({ started, reached }) => started || reached)).toEqual([false, false]);
  early.start(0);
  expect(() => early.start(1)).toThrow('start: expected one call');
  late.start();
  expect(both.map(({ started }) => started)).toEqual([true, true]);
  await until(() => early.reached && late.reached);
  expect(both.map((session) => session.report().timeToThresholdUs)).toEqual([5000, 0]);
  for (const session of both) expect(session.report()).toMatchObject({ round: 1, seed, output: { weight: 2 } });
});

it('reports a verification that failed to run, unless the session is closed', async () => {
  const waiting: (() => void)[] = [];
  const { sessions: both, failures } = sessions(
    () => new Promise((_, reject) => waiting.push(() => reject(new Error('its thread ended')))),
  );
  for (const session of both) session.start();
  await until(() => waiting.length === 2);
  waiting[0]!();
  await until(() => failures.length > 0);
  expect(failures.map(({ message }) => message)).toEqual(['its thread ended']);
  for (const session of both) await session.close();
  waiting[1]!();
  await new Promise(setImmediate);
  expect(failures).toHaveLength(1);
});
