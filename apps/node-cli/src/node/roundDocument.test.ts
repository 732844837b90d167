import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ListedEntry } from '@tutti/certificates';
import type { RoundReport } from '@tutti/transports';
import { expect, it } from 'vitest';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { PatientOutput, type Unwritten } from '../output/patientOutput.ts';
import { documentLog } from './roundDocument.ts';

const { at, write } = temporaryFiles();

const bytes = (length: number) => new Uint8Array(length).fill(1);
const endpoint = { host: '127.0.0.1', port: 9000 };
const proofs = { proofOfPossession: bytes(96), networkKey: bytes(32), networkKeyProof: bytes(96) };
const entries: readonly ListedEntry[] = [{ publicKey: bytes(48), ...proofs, endpoint, transport: 'udp' }];
const registry = { scheme: 'bls', entries } as const;

const report = (round: number) =>
  ({
    round,
    seed: bytes(32),
    message: new TextEncoder().encode('\uFEFFa'),
    output: { weight: 1, signature: bytes(96), bits: bytes(1) },
  }) as RoundReport;

function logAt(out: string) {
  const unwritten: Unwritten = { lines: 0, documents: 0 };
  const lines: string[] = [];
  const output = new PatientOutput(out, 'documents', unwritten, (line) => lines.push(line));
  return { unwritten, lines, log: documentLog(out, bytes(32), registry, output) };
}

it('documents that cannot be written are counted, and later ones are written with the keys that they name and the whole message', () => {
  const out = at('out');
  const { unwritten, lines, log } = logAt(out);
  log.onReached(report(1));
  expect(readdirSync(out).sort()).toEqual(['public-keys.json', 'registry.json', 'round-1.json']);
  rmSync(out, { recursive: true });
  write('out', 'no folder any more');
  log.onReached(report(2));
  log.onBetter(report(2));
  expect(unwritten.documents).toBe(2);
  expect(lines).toHaveLength(1);
  rmSync(out);
  log.onReached(report(3));
  expect(readdirSync(out).sort()).toEqual(['public-keys.json', 'registry.json', 'round-3.json']);
  const document = JSON.parse(readFileSync(join(out, 'round-3.json'), 'utf8'));
  expect(document).toMatchObject({ round: 3, signers: 1, message: '\uFEFFa' });
  expect(lines[1]).toBe(`tutti: ${out} is writable again; missing documents: 2\n`);
});

it('documents and key files whose names are taken by folders are counted, and a deleted file is written again', () => {
  const out = at('taken');
  const { unwritten, log } = logAt(out);
  rmSync(join(out, 'registry.json'));
  mkdirSync(join(out, 'round-1.json'));
  log.onReached(report(1));
  expect(unwritten.documents).toBe(1);
  expect(readdirSync(out)).toContain('registry.json');
  rmSync(join(out, 'public-keys.json'));
  mkdirSync(join(out, 'public-keys.json'));
  rmSync(join(out, 'registry.json'));
  log.onReached(report(2));
  expect(unwritten.documents).toBe(2);
});

it('keeps the registry of another group, whose rounds depend on it', () => {
  const path = join(at('other'), 'registry.json');
  mkdirSync(at('other'));
  writeFileSync(path, 'mine');
  expect(() => logAt(at('other'))).toThrow(`${path}: expected the node's own registry, got another file`);
  expect(readFileSync(path, 'utf8')).toBe('mine');
});
