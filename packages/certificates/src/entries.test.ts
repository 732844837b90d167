import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as groups from './groups.ts';
import * as certificates from './index.ts';
import * as log from './log.ts';

it('exports these names and no others', () => {
  expect(Object.keys(certificates).sort()).toMatchInlineSnapshot(`
    [
      "attestationDataRoot",
      "attestationRoot",
      "canonicalHost",
      "certificateForms",
      "certificateRegistryDigest",
      "convertCertificate",
      "decodeCertificate",
      "decodeSignedWarp",
      "encodeAttestation",
      "encodeCertificate",
      "encodeSignedWarp",
      "encodeSyncAggregate",
      "encodeWarpBits",
      "encodeWarpMessage",
      "expectedHost",
      "followRegistries",
      "formatRegistry",
      "g1ForEip2537",
      "g2ForEip2537",
      "isHostFor",
      "looksLikeSuccession",
      "membersOf",
      "messageHash",
      "parseRegistry",
      "parseRegistryTerms",
      "readCertificate",
      "readRegistry",
      "refuseSharedAddresses",
      "requireRegistry",
      "shareText",
      "sharedKeys",
      "signingRoot",
      "successionStatement",
      "syncAggregateRoot",
      "syncCommitteeSize",
      "verifiedRegistry",
      "verifyCertificate",
      "verifySignedWarp",
      "warpSetOf",
    ]
  `);
  expect(Object.keys(groups).sort()).toEqual(['CertifyingGroup', 'joinGroup', 'memorySignedLog']);
  expect(Object.keys(log).sort()).toEqual(['openSignedLog', 'readSignedLog']);
});

// A log of what was signed takes its file's name: the file belongs in a folder of this test's own.
const folder = mkdtempSync(join(tmpdir(), 'tutti-hostile-'));
const home = process.cwd();
beforeAll(() => process.chdir(folder));
afterAll(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true, force: true });
});

const hostileArguments = [[], [null], [7], ['x y'], [{}], [[]], [() => 0]];

// biome-ignore lint/suspicious/noExplicitAny: as from a program without types.
const logs = Object.entries<any>(log);

it.each(logs)('%s takes or refuses any argument in its own words, never in those of the engine', async (_, one) => {
  for (const args of hostileArguments) {
    try {
      await one(...args);
    } catch (error) {
      expect(error).toMatchObject({ message: expect.stringMatching(/^[^\n]*expected [^\n]+, got [^\n]+$/) });
    }
  }
});
