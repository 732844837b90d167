import { type CertificateForm, certificateForms, decodeCertificate } from '@tutti/certificates';
import { blsVariantOf } from '@tutti/core';
import { EnvironmentError, fromHex, shownValue, toHex } from '@tutti/core/input';
import { type Bls, loadBls } from '@tutti/wasm-bls';
import { Command } from 'commander';
import { verifiedCertificate } from '../certify/registryCertificates.ts';
import { type DocumentClaim, readClaim } from '../certify/signedDocument.ts';
import { isValid, type MultiSignature, signersOf } from '../cluster/multiSignature.ts';
import { answer, type Context, UsageError } from '../context.ts';
import { badValue, choice, type FlagReader, type FlagsOf, flag, jsonFlag, toggle, withFlags, words } from '../flags.ts';
import { loadKernel } from '../kernel.ts';
import { isRegular, readBytes } from '../output/files.ts';
import { counted } from '../output/text.ts';

/** Length of a SHA-256 digest, bytes. */
const registryDigestBytes = 32;

const digestFlag: FlagReader<string> = (text) => {
  const bytes = fromHex(text, registryDigestBytes);
  if (bytes === undefined) throw badValue('--digest', `${2 * registryDigestBytes} hexadecimal digits`, text);
  return toHex(bytes);
};

const verifyFlags = {
  registry: flag('<file>', 'the registry of the intended signers', words),
  digest: flag(
    '<hex>',
    'digest of the registry of the intended signers, instead of the registry itself; the registry that the document names must have this digest',
    () => digestFlag,
  ),
  publicKeys: flag(
    '<file>',
    'use these bare public keys, which have no proofs of possession, instead of a registry',
    words,
  ),
  allowUnproven: toggle('accept the bare keys of --public-keys, because their possession was checked elsewhere'),
  format: flag(
    '<name>',
    `format of a certificate: ${certificateForms.join(', ')} (default: tutti if the file is a tutti certificate)`,
    choice<CertificateForm>(certificateForms),
  ),
  messageFile: flag('<file>', 'with a certificate: the file that the signers certified', words),
  json: jsonFlag,
};

type VerifyOptions = FlagsOf<typeof verifyFlags>;

export function verifyCommand(context: Context): Command {
  const command = new Command('verify')
    .description(
      "Verify a multi-signature or a Horn block from 'tutti cluster --out' or 'tutti node --out-folder' with noble-curves and with the kernel, and verify the registry's proofs of possession. A document cannot prove which members were the intended signers, so pass the registry or its digest. Without either, the exit code is 1, and the first line of the output names the missing check. The same applies to bare keys, because an owner could have derived a key from the other keys.",
    )
    .argument('<file>', 'the JSON document, or a certificate');
  return withFlags(command, verifyFlags).action(async (path: string, options: VerifyOptions) => {
    const form = options.format ?? recognizedForm(path);
    if (form !== undefined) return verifyCertificate(path, form, options, context);
    if (options.messageFile !== undefined)
      throw new UsageError(
        `--message-file: valid only with a certificate; use --format if the certificate is not in Tutti's own format`,
      );
    return verifyDocument(path, options, context);
  });
}

/** Returns `tutti` for a regular file that contains a certificate in Tutti's own format; undefined otherwise. */
function recognizedForm(path: string): CertificateForm | undefined {
  // A pipe can be read only once, so only regular files are read here.
  if (!isRegular(path)) return undefined;
  return decodeCertificate(new Uint8Array(readBytes(path))) === undefined ? undefined : 'tutti';
}

async function verifyCertificate(
  path: string,
  form: CertificateForm,
  { registry, messageFile: message, json, ...others }: VerifyOptions,
  context: Context,
): Promise<void> {
  const { digest, publicKeys, allowUnproven } = others;
  const given = Object.entries({ digest, 'public-keys': publicKeys, 'allow-unproven': allowUnproven });
  for (const [name, value] of given)
    if (value !== undefined)
      throw new UsageError(
        `--${name}: cannot be combined with a certificate, which needs only --registry and --message-file`,
      );
  if (registry === undefined || message === undefined)
    throw new UsageError(
      `${path}: a certificate (${form}): expected ${registry === undefined ? '--registry with the file of its members' : '--message-file with the file that they certified'}, got none`,
    );
  const files = { certificate: path, message, registry };
  const { signers, weight, total } = await verifiedCertificate(form, files, context);
  answer(
    context,
    json,
    { valid: true, format: form, signers, weight: String(weight), total: String(total) },
    `valid: ${counted(signers, 'signer')}, of a weight of ${weight} of ${total}\n`,
  );
}

async function verifyDocument(path: string, options: VerifyOptions, context: Context): Promise<void> {
  for (const flag of ['registry', 'digest'] as const)
    if (options[flag] !== undefined && options.publicKeys !== undefined)
      throw new UsageError(`--public-keys: cannot be combined with --${flag}, which already selects the keys`);
  if (options.allowUnproven && options.publicKeys === undefined)
    throw new UsageError('--allow-unproven: valid only with --public-keys');
  const claim = await readClaim(path, options, context);
  const signers = distinctSigners(path, claim.signatures);
  const earlier = (claim.earlier ?? []).map((one) => ({ ...one, signers: distinctSigners(path, one.signatures) }));
  for (const { stated, signers: some } of [{ stated: claim.stated, signers }, ...earlier])
    if (stated !== undefined && stated !== some.size)
      throw invalid(path, `the document states ${shownValue(stated)} signers, but the signatures have ${some.size}`);
  const variant = blsVariantOf(claim.publicKeys.map((publicKey) => ({ publicKey })));
  const kernels: Bls[] = [await loadBls({ engine: 'noble', variant })];
  const kernel = await loadKernel(variant);
  if (kernel.name !== kernels[0]!.name) kernels.push(kernel);
  for (const bls of kernels)
    for (const one of [...claim.signatures, ...earlier.flatMap(({ signatures }) => signatures)])
      if (!isValid(bls, one)) {
        const count = signersOf(one.bits, one.publicKeys)!.length;
        throw invalid(path, `${bls.name} rejects the signature of ${counted(count, 'signer')}`);
      }
  const doubt = doubtAbout(claim, options);
  const document = {
    valid: doubt === undefined,
    signers: signers.size,
    nodes: claim.publicKeys.length,
    rounds: 1 + earlier.length,
    verifiedBy: kernels.map((bls) => bls.name),
    possessionProven: claim.digest !== undefined,
    keys: claim.file,
    keysChosenBy: claim.chosenBy,
    registry: claim.digest ?? null,
  };
  const ofRounds = earlier.length === 0 ? '' : ` in the last of ${document.rounds} valid rounds`;
  const verdict = `${signers.size} of ${document.nodes} signed${ofRounds}, say ${document.verifiedBy.join(' and ')}`;
  answer(context, options.json, document, inWords(claim, verdict, doubt));
  if (doubt !== undefined) throw doubt.error;
}

/**
 * Returns the distinct signers of a multi-signature or of a block.
 *
 * @throws EnvironmentError `invalid-signature` for bits that do not encode a set of signers, and for a signature
 * without a new signer, which no block contains.
 */
function distinctSigners(path: string, signatures: readonly MultiSignature[]): ReadonlySet<Uint8Array> {
  const signers = new Set<Uint8Array>();
  for (const { bits, publicKeys } of signatures) {
    const some = signersOf(bits, publicKeys);
    if (some === undefined)
      throw invalid(path, `the bitset is not a valid set of signers among the ${publicKeys.length} public keys`);
    const before = signers.size;
    for (const one of some) signers.add(one);
    if (signers.size === before)
      throw invalid(path, 'one of the collections contains only votes that earlier collections contain');
  }
  return signers;
}

/** Reason why the command does not call a verified signature valid. */
interface Doubt {
  /** First line of the output, which names the missing check. */
  readonly line: string;
  /** Condition under which the signature is valid. */
  readonly onlyIf: string;
  readonly error: EnvironmentError;
}

const onlyIf = 'valid only if no key was derived from other keys';
const unproven = (file: string) => `possession not checked: ${file} contains keys without proofs of possession`;

function doubtAbout(claim: DocumentClaim, { allowUnproven }: VerifyOptions): Doubt | undefined {
  const { file, digest, chosenBy } = claim;
  if (digest === undefined && !allowUnproven)
    return {
      line: unproven(file),
      onlyIf,
      error: new EnvironmentError(
        'possession-not-checked',
        `${file}: expected a registry with proofs of possession, got bare keys; use --registry, or use --public-keys with --allow-unproven if the proofs of these keys were checked before`,
      ),
    };
  if (chosenBy !== 'document') return undefined;
  return {
    line: `registry not checked: ${file} was chosen by the document`,
    onlyIf: 'valid only if the nodes of this registry were the intended signers',
    error: new EnvironmentError(
      'registry-not-chosen',
      `${file}: the registry is named only by the document, which cannot prove the intended signers; use --registry with your own file, or --digest with the expected digest`,
    ),
  };
}

function inWords({ file, digest, chosenBy }: DocumentClaim, verdict: string, doubt: Doubt | undefined): string {
  const keys = digest === undefined ? `keys ${file}` : `registry ${file}, digest ${digest}`;
  const whose = {
    registry: 'given with --registry',
    digest: 'named by the document, and equal to --digest',
    'public-keys': 'given with --public-keys',
    document: 'named by the document',
  }[chosenBy];
  const proven = digest === undefined ? '' : '; all keys have proofs of possession';
  if (doubt !== undefined) return `${doubt.line}\n${doubt.onlyIf}: ${verdict}${proven}\n${keys}: ${whose}\n`;
  // The command never calls signatures under bare keys valid, however the user checked the keys.
  if (digest === undefined) return `${unproven(file)}\n${onlyIf}: ${verdict}\n${keys}: ${whose}\n`;
  return `valid: ${verdict}${proven}\n${keys}: ${whose}\n`;
}

function invalid(path: string, reason: string): EnvironmentError {
  return new EnvironmentError('invalid-signature', `${path}: invalid: ${reason}`);
}
