import { basename, dirname, resolve } from 'node:path';
import {
  blsPublicKeyBytes,
  blsSignatureBytes,
  fromHex,
  nodeCrypto,
  registryDigest,
  toHex,
  WorldError,
} from '@tutti/transports';
import { type Bls, loadBls } from '@tutti/wasm-bls';
import { Command } from 'commander';
import { isValid, type MultiSignature, signersOf } from '../cluster/multiSignature.ts';
import type { Context } from '../context.ts';
import { loadKernel } from '../kernel.ts';
import { loadRegistry } from '../node/loadRegistry.ts';
import { readWhole } from '../output/files.ts';
import { UsageError } from '../usageError.ts';

interface VerifyOptions {
  readonly registry?: string;
  readonly publicKeys?: string;
  readonly allowUnproven?: boolean;
  readonly json?: boolean;
}

export function verifyCommand(context: Context): Command {
  return new Command('verify')
    .description(
      "Verify a multi-signature that 'tutti cluster --json' or 'tutti node --out' wrote, with noble-curves and with the kernel, and the proofs of possession of its registry. Without proofs, a key can be made of the others' keys to sign in their names; the first line then says that possession was not checked, and the exit code is 1.",
    )
    .argument('<file>', 'the JSON document')
    .option('--registry <file>', 'the registry whose nodes signed; default: the one that the document names')
    .option('--public-keys <file>', 'bare public keys instead, without proofs of possession')
    .option('--allow-unproven', 'accept bare public keys: whoever gave them has checked their possession')
    .option('--json', 'print one JSON document')
    .action((path: string, options: VerifyOptions) => verify(path, options, context));
}

async function verify(path: string, options: VerifyOptions, context: Context): Promise<void> {
  if (options.registry !== undefined && options.publicKeys !== undefined)
    throw new UsageError('--public-keys: not with --registry, which has the keys');
  const claim = await readClaim(path, options, context);
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
  const document = {
    valid: claim.unproven === undefined || options.allowUnproven === true,
    signers: signers.length,
    nodes: claim.publicKeys.length,
    verifiedBy: kernels.map((bls) => bls.name),
    possessionProven: claim.unproven === undefined,
  };
  const verdict = `${signers.length} of ${claim.publicKeys.length} signed, say ${names}`;
  if (claim.unproven === undefined) {
    context.out(
      options.json ? `${JSON.stringify(document)}\n` : `valid: ${verdict}; all keys have proofs of possession\n`,
    );
    return;
  }
  context.out(
    options.json
      ? `${JSON.stringify(document)}\n`
      : `possession not checked: ${claim.unproven} has bare keys\n${onlyIf}: ${verdict}\n`,
  );
  if (!options.allowUnproven)
    throw new WorldError(
      'possession-not-checked',
      `${claim.unproven}: expected a registry with proofs of possession, got bare keys; give --registry, or --allow-unproven where they were checked before`,
    );
}

const onlyIf = "valid only if no key was made of the others'";

interface Claim extends MultiSignature {
  /** The file of bare keys, where there are no proofs of their possession. */
  readonly unproven: string | undefined;
}

async function readClaim(path: string, options: VerifyOptions, context: Context): Promise<Claim> {
  const document = readJson(path);
  if (typeof document !== 'object' || document === null) throw unusable(path, 'a JSON object');
  const { scenario } = document as { scenario?: { scheme?: unknown } | null };
  if (scenario?.scheme === 'pixel')
    throw new WorldError(
      'not-of-bls',
      `${path}: expected a multi-signature of BLS, got one of Pixel, which both libraries confirmed when it was made; this command reads BLS only`,
    );
  const { message, signature, bitset, registry, registryFile, publicKeys } = document as Record<string, unknown>;
  if (typeof message !== 'string') throw unusable(path, '"message", a string');
  const signatureBytes = fromHex(signature, blsSignatureBytes);
  if (signatureBytes === undefined) throw unusable(path, `"signature", ${2 * blsSignatureBytes} hexadecimal digits`);
  const bits = typeof bitset === 'string' ? fromHex(bitset, bitset.length / 2) : undefined;
  if (bits === undefined) throw unusable(path, '"bitset", hexadecimal digits');
  const signed = { message: new TextEncoder().encode(message), signature: signatureBytes, bits };
  const named =
    options.publicKeys === undefined && typeof registryFile === 'string' ? besides(path, registryFile) : undefined;
  const registryPath = options.registry ?? named;
  if (registryPath !== undefined)
    return { ...signed, publicKeys: await provenKeys(registryPath, registry, context), unproven: undefined };
  if (options.publicKeys === undefined && typeof publicKeys !== 'string')
    throw unusable(path, '"registryFile" or "publicKeys", the path of a file, or --registry');
  const unproven = options.publicKeys ?? besides(path, publicKeys as string);
  return { ...signed, publicKeys: readKeys(unproven), unproven };
}

/** The keys of a registry that holds, and is the one whose digest the document has, if it has one. */
async function provenKeys(path: string, digest: unknown, context: Context): Promise<Uint8Array[]> {
  const entries = await loadRegistry(path, context);
  const found = toHex(registryDigest(nodeCrypto, entries));
  if (digest !== undefined && digest !== found)
    throw new WorldError(
      'another-registry',
      `${path}: expected the registry of digest ${String(digest).slice(0, 64)}, got ${found}`,
    );
  return entries.map(({ publicKey }) => publicKey);
}

/** The file's path relative to the document; or the file of that name beside the document, in case both were moved. */
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
  const expected = `an array of public keys, ${2 * blsPublicKeyBytes} hexadecimal digits each`;
  if (!Array.isArray(keys) || keys.length === 0) throw unusable(path, expected);
  return keys.map((key) => {
    const bytes = fromHex(key, blsPublicKeyBytes);
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
