import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { insecureSeed } from '@tutti/wasm-bls';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { pixelOf, updateKeyFile, withKeyFile, writeKeyFile } from './keyFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'tutti-key-file-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'key');

beforeAll(async () => {
  const pixel = await pixelOf('rfc9380');
  writeKeyFile(path, pixel.keyGen(insecureSeed('signing', 1, 0)), true);
});

it('a secret key is overwritten after its use, also if the use fails', async () => {
  let held: Uint8Array = new Uint8Array();
  const keep = ({ secretKey }: { secretKey: Uint8Array }) => {
    held = secretKey;
    expect(held.some((byte) => byte !== 0)).toBe(true);
  };
  await withKeyFile(path, keep);
  expect(held.every((byte) => byte === 0)).toBe(true);
  const failing = withKeyFile(path, (file) => {
    keep(file);
    throw new Error('refused');
  });
  await expect(failing).rejects.toThrow('refused');
  expect(held.every((byte) => byte === 0)).toBe(true);
});

it('a refused update overwrites the secret key that it read', async () => {
  const pixel = await pixelOf('rfc9380');
  const timeOf = vi.spyOn(Object.getPrototypeOf(pixel), 'timeOf');
  await expect(updateKeyFile(path, 1, new Uint8Array())).rejects.toMatchObject({ code: 'period-expired' });
  expect((timeOf.mock.calls[0]![0] as Uint8Array).every((byte) => byte === 0)).toBe(true);
  timeOf.mockRestore();
});
