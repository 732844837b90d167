import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ListedEntry } from '@tutti/certificates';
import { insecureSecrets, registryEntry } from '@tutti/node-cli/nodes';
import { insecureSeed, loadBls } from '@tutti/wasm-bls';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../tests/tutti.ts';
import { identityKeyGen } from '../ring.ts';
import { listIdentity } from './listedIdentity.ts';
import { formatListed, readListed } from './listedIdentityFile.ts';

const folder = temporaryFolder();
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

it('returns the identities in the order of the registry, and names missing, duplicate and unknown ones', async () => {
  const bls = await loadBls();
  const members = [0, 1, 2].map((index) => {
    const secrets = insecureSecrets(bls, 1, index);
    const at = { transport: 'udp' as const, endpoint: { host: '127.0.0.1', port: 9000 + index } };
    const entry: ListedEntry = { ...registryEntry(bls, secrets, at.endpoint), ...at };
    const listed = listIdentity(bls, secrets.secretKey, identityKeyGen(insecureSeed('identity', 1, index)));
    return { entry, listed, path: file(`${index}`, formatListed(entry.publicKey, listed)) };
  });
  const [a, b, stranger] = members as [(typeof members)[0], (typeof members)[0], (typeof members)[0]];
  const entries = [a.entry, b.entry];
  expect(readListed([b.path, a.path], entries)).toEqual([a.listed, b.listed]);
  for (const [paths, line] of [
    [[a.path], /expected a file of each of the 2 members, got none of member 1/],
    [[a.path, b.path, b.path], /got another of member 1/],
    [[a.path, b.path, stranger.path], /expected the identity of a member of the registry/],
    [[file('none', '[]')], /expected a listed identity of version 1/],
    [[file('cut', formatListed(a.entry.publicKey, a.listed).replace(/"proof": "../, '"proof": "'))], /"proof"/],
  ] as const)
    expect(() => readListed(paths, entries)).toThrow(
      expect.objectContaining({ code: 'bad-identity', message: expect.stringMatching(line) }),
    );
});
