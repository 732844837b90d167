import { WorldError } from '@tutti/transports';
import { type Bls, loadBls } from '@tutti/wasm-bls';
import {
  type DrandChain,
  DrandError,
  type DrandVerdict,
  drandChains,
  drandSchemes,
  readDrandBeacon,
  readDrandChain,
  verifyDrandBeacon,
} from '@tutti/wasm-bls/drand';
import type { Context } from '../context.ts';
import { kernelName } from '../kernel.ts';
import { readJson } from '../output/json.ts';

/** What is wrong with a round, in words. */
const faults: Readonly<Record<Exclude<DrandVerdict, 'valid'>, string>> = {
  randomness: 'its randomness is not the SHA-256 of its signature',
  'no-previous-signature': 'its chain signs the round before it too, and "previous_signature" is not there',
  'previous-signature': '"previous_signature" has another length than a signature of its chain',
  signature: "the signature is not the chain's on this round",
};

/** A chain, and what says that it is the right one. */
interface ChosenChain {
  readonly chain: DrandChain;
  readonly chosenBy: 'built-in' | 'file' | 'document';
  /** For the output. */
  readonly words: string;
}

/** The chain that `--chain` names, or the one that the document brings along, or quicknet. */
function choose(path: string, document: unknown, named: string | undefined): ChosenChain {
  if (named === undefined) {
    const info =
      typeof document === 'object' && document !== null ? (document as { chain?: unknown }).chain : undefined;
    if (info !== undefined)
      return ofDocument(
        path,
        readAs(path, () => readDrandChain(info)),
      );
  }
  const name = named ?? 'quicknet';
  if (Object.hasOwn(drandChains, name)) {
    const chain = drandChains[name as keyof typeof drandChains];
    return { chain, chosenBy: 'built-in', words: 'built into this program' };
  }
  const chain = readAs(name, () => readDrandChain(readJson(name)));
  return { chain, chosenBy: 'file', words: `of ${name}, given with --chain` };
}

/** A document's own chain, which is believed only where this program knows its key. */
function ofDocument(path: string, own: DrandChain): ChosenChain {
  const known = Object.values(drandChains).find(({ publicKey }) => publicKey === own.publicKey);
  return known !== undefined && known.scheme === own.scheme
    ? { chain: known, chosenBy: 'built-in', words: 'named by the document, and built into this program' }
    : { chain: own, chosenBy: 'document', words: `${path} names it itself` };
}

/** Says of which file it was that a document is no round or chain. */
function readAs<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DrandError)) throw error;
    throw new WorldError('not-drand', `${path}: ${error.message}; give the JSON that drand answers`, { cause: error });
  }
}

/**
 * Verifies a round that drand published, with noble-curves and with the kernel.
 *
 * @param named - `quicknet`, `default`, or a file with what drand answers to /info.
 */
export async function verifyDrand(
  path: string,
  options: { readonly chain?: string; readonly json?: boolean },
  context: Context,
): Promise<void> {
  const document = readJson(path);
  const beacon = readAs(path, () => readDrandBeacon(document));
  const { chain, chosenBy, words } = choose(path, document, options.chain);
  const { variant } = drandSchemes[chain.scheme];
  const kernels: Bls[] = [await loadBls({ kernel: 'noble', variant })];
  if (kernelName() !== 'noble') kernels.push(await loadBls({ kernel: kernelName(), variant }));
  for (const bls of kernels) {
    const verdict = verifyDrandBeacon(bls, chain, beacon);
    if (verdict !== 'valid')
      throw new WorldError(
        'invalid-signature',
        `${path}: invalid under the key of ${chain.name} (${chain.scheme}): ${faults[verdict]}, says ${bls.name}${otherChain(options.chain)}`,
      );
  }
  const verifiedBy = kernels.map(({ name }) => name);
  const isChosen = chosenBy !== 'document';
  const { round } = beacon;
  const written = { valid: isChosen, round, chain, keyChosenBy: chosenBy, verifiedBy };
  const verdict = `round ${round} of drand's ${chain.name}, say ${verifiedBy.join(' and ')}`;
  const first = isChosen
    ? `valid: ${verdict}`
    : `key not checked: ${words}\nvalid only if this is the chain's key: ${verdict}`;
  context.out(
    options.json ? `${JSON.stringify(written)}\n` : `${first}\nkey ${chain.publicKey} (${chain.scheme}): ${words}\n`,
  );
  if (!isChosen)
    throw new WorldError(
      'chain-not-chosen',
      `${path}: the document names its chain's key itself; give --chain with quicknet, default, or a file of your own`,
    );
}

const otherChain = (named: string | undefined): string =>
  named === undefined ? '; if the round is of another chain, give --chain' : '';
