import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { bls, lyingKernel, runInVirtualTime, until, worldOf } from '../../test/certifyingWorld.ts';
import { memorySignedLog } from '../log/signedLog.ts';
import { verifyCertificate } from '../verification/certificate.ts';
import type { CertifyingGroup } from './joinGroup.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
runInVirtualTime();

const size = 5;
const liar = size - 1;

/** Small version of `npm run bench -- certificates`, which uses 1,000 messages and 32 members. */
it('certifies many concurrent messages with a Byzantine member and restarts, and its memory does not grow', async () => {
  const logs = Array.from({ length: size }, memorySignedLog);
  const world = worldOf(size, {
    of: (index) => ({
      heightOf: (bytes) => BigInt(bytes[0]!),
      signedLog: { record: (statement) => logs[index]!.record(statement), close() {} },
      maxStored: 2,
      maxOpen: 2,
      ...(index === liar ? { kernel: lyingKernel } : {}),
    }),
  });
  const members: CertifyingGroup[] = await world.all();
  const heldAfter: number[] = [];
  for (let batch = 0; batch < 4; batch++) {
    const messages = Array.from({ length: 2 }, (_, one) => Uint8Array.of(2 * batch + one, 1));
    const asked = messages.map((bytes, one) => members[one]!.certify(bytes));
    if (batch === 1 || batch === 2) {
      // The member that leaves and rejoins here requests nothing. The member rejoins with its log of signed messages.
      const index = batch + 1;
      await members[index]!.close();
      members[index] = await world.join(index);
    }
    for (const { bytes, certificate, signers } of await Promise.all(asked)) {
      expect(signers).toBe(4);
      expect(verifyCertificate({ registry: world.registry, bytes, certificate, kernel: bls }).ok).toBe(true);
    }
    // A member may receive a certificate later than the member that requested it.
    await until(() => members.every(({ counts }) => counts.waiting === 0));
    for (const { counts } of members) expect([counts.open <= 2, counts.stored <= 2]).toEqual([true, true]);
    collectGarbage();
    heldAfter.push(process.memoryUsage().heapUsed);
  }
  expect(heldAfter.at(-1)! - heldAfter[1]!).toBeLessThan(1.5e6);
});
