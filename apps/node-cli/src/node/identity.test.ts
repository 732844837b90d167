import { memberKey, memberKeys } from '@tutti/certificates';
import { describe, expect, it } from 'vitest';
import { formatSecrets } from './identity.ts';

const secrets = [1, 2].map((fill) => ({
  secretKey: new Uint8Array(32).fill(fill),
  networkSecret: new Uint8Array(32).fill(fill + 10),
}));
const publicKeys = [new Uint8Array(48).fill(8), new Uint8Array(48).fill(9)];
const entries = publicKeys.map((publicKey) => ({
  publicKey,
  proofOfPossession: new Uint8Array(96),
  networkKey: new Uint8Array(32),
  networkKeyProof: new Uint8Array(96),
  endpoint: { host: '127.0.0.1', port: 1 },
}));

describe('memberKeys', () => {
  it('decodes the output of formatSecrets', () => {
    const read = memberKeys(formatSecrets(entries, secrets), 'keys');
    expect(read).toEqual(secrets.map((own, i) => ({ ...own, publicKey: publicKeys[i] })));
    expect(memberKey(formatSecrets(entries, secrets), 1)).toEqual(read[1]);
    expect(() => memberKey(formatSecrets(entries, secrets), 9)).toThrow(
      expect.objectContaining({ code: 'not-a-key-file' }),
    );
  });

  it.each([
    '',
    'null',
    '{}',
    '{"version":1,"secrets":[]}',
    '{"version":1,"secrets":[null]}',
    '{"version":2,"secrets":[{}]}',
    '{"version":1,"secrets":[{"publicKey":"ab","secretKey":"5ec2e7"}]}',
    '5ec2e7 is no JSON',
  ])('refuses %j, and quotes nothing of it', (text) => {
    const parse = () => memberKeys(text, 'keys');
    expect(parse).toThrow(expect.objectContaining({ code: 'not-a-key-file' }));
    expect(parse).toThrow(/^keys: expected .*; use a file that 'tutti registry keygen' wrote$/);
    expect(parse).not.toThrow(/5ec2e7/);
  });
});
