import { memberKey, memberKeys } from '@tutti/certificates';
import { describe, expect, it } from 'vitest';
import { formatSecrets } from './identity.ts';

const bytes = (length: number, fill = 0) => new Uint8Array(length).fill(fill);
const secrets = [1, 2].map((fill) => ({ secretKey: bytes(32, fill), networkSecret: bytes(32, fill + 10) }));
const publicKeys = [bytes(48, 8), bytes(48, 9)];
const proofs = { proofOfPossession: bytes(96), networkKey: bytes(32), networkKeyProof: bytes(96) };
const endpoint = { host: '127.0.0.1', port: 1 };
const entries = publicKeys.map((publicKey) => ({ publicKey, ...proofs, endpoint }));

describe('memberKeys', () => {
  it('decodes the output of formatSecrets', () => {
    const text = formatSecrets(entries, secrets);
    const read = memberKeys(text, 'keys');
    expect(read).toEqual(secrets.map((own, i) => ({ ...own, publicKey: publicKeys[i] })));
    expect(memberKey(text, 1)).toEqual(read[1]);
    expect(() => memberKey(text, 9)).toThrow(expect.objectContaining({ code: 'not-a-key-file' }));
  });

  it.each([
    ...['', 'null', '{}', '{"version":1,"secrets":[]}', '{"version":1,"secrets":[null]}'],
    ...['{"version":2,"secrets":[{}]}', '{"version":1,"secrets":[{"publicKey":"ab","secretKey":"5ec2e7"}]}'],
    ...['5ec2e7 is no JSON'],
  ])('refuses %j, and quotes nothing of it', (text) => {
    const parse = () => memberKeys(text, 'keys');
    expect(parse).toThrow(expect.objectContaining({ code: 'not-a-key-file' }));
    expect(parse).toThrow(/^keys: expected .*; use a file that 'tutti registry keygen' wrote$/);
    expect(parse).not.toThrow(/5ec2e7/);
  });
});
