import { basename, dirname, resolve } from 'node:path';
import { fromHex, PUBLIC_KEY_BYTES, SIGNATURE_BYTES, WorldError } from '@tutti/transports';
import { type Bls, loadBls } from '@tutti/wasm-bls';
import { Command } from 'commander';
import { isValid, type MultiSignature, signersOf } from '../cluster/multiSignature.ts';
import type { Context } from '../context.ts';
import { loadKernel } from '../kernel.ts';
import { readWhole } from '../output/files.ts';

export function verifyCommand(context: Context): Command {
  return new Command('verify')
    .description(
      "Verify the multi-signature that 'tutti cluster --json' or 'tutti node --out' wrote, by noble-curves and by the kernel.",
    )
    .argument('<file>', 'the JSON document')
    .option('--public-keys <file>', 'the public keys; default: the file that the document names')
    .action((path: string, options: { publicKeys?: string }) => verify(path, options.publicKeys, context));
}

async function verify(path: string, keysPath: string | undefined, context: Context): Promise<void> {
  const claim = readClaim(path, keysPath);
  const signers = signersOf(claim.bits, claim.publicKeys);
  if (signers === undefined)
    throw invalid(path, `its bitset claims no set of signers among the ${claim.publicKeys.length} public keys`);
  const kernels: Bls[] = [await loadBls({ kernel: 'noble' })];
  const kernel = await loadKernel();
  if (kernel.name !== kernels[0]!.name) kernels.push(kernel);
  for (const bls of kernels)
    if (!isValid(bls, claim))
      throw invalid(path, `${bls.name} does not accept the signature of these ${signers.length} signers`);
  const names = kernels.map((bls) => bls.name).join(' and ');
  context.out(`valid: ${signers.length} of ${claim.publicKeys.length} signed, say ${names}\n`);
}

function readClaim(path: string, keysPath: string | undefined): MultiSignature {
  const document = readJson(path);
  if (typeof document !== 'object' || document === null) throw unusable(path, 'a JSON object');
  const { message, signature, bitset, publicKeys: named } = document as Record<string, unknown>;
  if (typeof message !== 'string') throw unusable(path, '"message", a string');
  const signatureBytes = fromHex(signature, SIGNATURE_BYTES);
  if (signatureBytes === undefined) throw unusable(path, `"signature", ${2 * SIGNATURE_BYTES} hexadecimal digits`);
  const bits = typeof bitset === 'string' ? fromHex(bitset, bitset.length / 2) : undefined;
  if (bits === undefined) throw unusable(path, '"bitset", hexadecimal digits');
  if (keysPath === undefined && typeof named !== 'string')
    throw unusable(path, '"publicKeys", the path of a file, or --public-keys');
  return {
    message: new TextEncoder().encode(message),
    signature: signatureBytes,
    bits,
    publicKeys: readKeys(keysPath ?? besides(path, named as string)),
  };
}

/** The file as named, seen from the document; or of that name beside the document, should both have been moved. */
function besides(path: string, named: string): string {
  const asNamed = resolve(dirname(path), named);
  try {
    readWhole(asNamed);
    return asNamed;
  } catch {
    return resolve(dirname(path), basename(named));
  }
}

function readKeys(path: string): Uint8Array[] {
  const keys = readJson(path);
  const expected = `an array of public keys, ${2 * PUBLIC_KEY_BYTES} hexadecimal digits each`;
  if (!Array.isArray(keys) || keys.length === 0) throw unusable(path, expected);
  return keys.map((key) => {
    const bytes = fromHex(key, PUBLIC_KEY_BYTES);
    if (bytes === undefined) throw unusable(path, expected);
    return bytes;
  });
}

function readJson(path: string): unknown {
  const text = readWhole(path);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new WorldError('not-json', `${path}: expected JSON, got what does not parse`, { cause });
  }
}

function unusable(path: string, expected: string): WorldError {
  return new WorldError(
    'not-a-result',
    `${path}: expected ${expected}; give what 'tutti cluster --json' or 'tutti node --out' wrote`,
  );
}

function invalid(path: string, reason: string): WorldError {
  return new WorldError('invalid-signature', `${path}: invalid: ${reason}`);
}
