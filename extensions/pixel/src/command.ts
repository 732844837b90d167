import { createHash, randomBytes } from 'node:crypto';
import { EnvironmentError, fromHex, toHex } from '@tutti/core/input';
import {
  answer,
  badValue,
  Command,
  type Context,
  Counter,
  choice,
  columnTable,
  counted,
  type Extension,
  type FlagReader,
  type FlagsOf,
  flag,
  forceFlag,
  integer,
  isStandardOutput,
  jsonFlag,
  jsonOption,
  pairTable,
  required,
  requirePlace,
  seedOption,
  toggle,
  UsageError,
  withFlags,
  words,
  writeWhole,
} from '@tutti/node-cli/command';
import { clusterCommand } from './commands/cluster.ts';
import { posteriorCorruption } from './commands/posteriorCorruption.ts';
import { pixelTablesCommand } from './commands/tablesCommand.ts';
import {
  lastTime,
  loadPixel,
  minPixelSeedBytes,
  type PixelSuiteName,
  pixelPublicKeyBytes,
  pixelSignatureBytes,
  signatureTime,
  suites,
} from './index.ts';
import {
  damaged,
  keyFileText,
  pixelOf,
  suiteOf,
  updateKeyFile,
  usable,
  withKeyFile,
  writeKeyFile,
} from './keys/keyFile.ts';

/** Length of the fresh entropy for a new key and for an update, bytes. */
const entropyBytes = 64;

const suiteNames = Object.keys(suites) as PixelSuiteName[];

/** Reader for a period. */
const period = integer(1, lastTime);

/** Returns the reader of hexadecimal digits that encode at least this number of bytes. */
const seedHex =
  (minBytes: number) =>
  (name: string): FlagReader<Uint8Array> =>
  (text) => {
    const bytes = fromHex(text);
    if (bytes !== undefined && bytes.length >= minBytes) return bytes;
    throw badValue(name, `${2 * minBytes} hexadecimal digits or more, an even number`, text);
  };

/** Returns the reader of hexadecimal digits that encode exactly this number of bytes. */
const bytesHex =
  (length: number) =>
  (name: string): FlagReader<Uint8Array> =>
  (text) => {
    const bytes = fromHex(text, length);
    if (bytes !== undefined) return bytes;
    throw badValue(name, `${counted(length, 'byte')} as ${2 * length} hexadecimal digits`, text);
  };

const pages = ['README of @tutti/pixel'];

/** Examples and pages for the help of each command. */
export const notes: Extension['notes'] = {
  'pixel keygen': { examples: ['key.pixel', '--suite reference --out key.pixel'], pages },
  'pixel update': { examples: ['key.pixel --to 7'], pages },
  'pixel sign': { examples: ['key.pixel --message hello', 'key.pixel --message hello --time 7'], pages },
  'pixel verify': { examples: ['key.pixel --message hello --signature "$HEX" --time 7'], pages },
  'pixel inspect': { examples: ['key.pixel', 'key.pixel --check'], pages },
  'pixel cluster': {
    examples: ['--nodes 16', '--nodes 64 --rounds 8 --json'],
    pages: [...pages, 'guides/local-cluster', 'concepts/rounds'],
  },
  'pixel corruption': { examples: ['--members 8', '--rounds 6 --json'], pages },
  'pixel tables': { examples: ['--no-measured', '--json'], pages },
};

/** Creates the command that this extension adds to `tutti`. */
export const command: Extension['command'] = (context) =>
  new Command('pixel')
    .description('Pixel, forward-secure multi-signatures: generate, update and use a key file.')
    .addCommand(keygenCommand(context))
    .addCommand(updateCommand(context))
    .addCommand(signCommand(context))
    .addCommand(verifyCommand(context))
    .addCommand(inspectCommand(context))
    .addCommand(clusterCommand(context))
    .addCommand(corruptionCommand(context))
    .addCommand(pixelTablesCommand(context));

const keygenFlags = {
  out: flag('<file>', 'the same as the argument', words),
  suite: flag<PixelSuiteName>(
    '<name>',
    "rfc9380, or reference for the suite of the authors' implementation",
    choice(suiteNames),
    'rfc9380',
  ),
  insecureSeedHex: flag(
    '<hex>',
    'derive the key from this seed of at least 32 bytes, without entropy; only for test vectors',
    seedHex(minPixelSeedBytes),
  ),
  force: forceFlag,
  json: jsonFlag,
};

function keygenCommand(context: Context): Command {
  const command = new Command('keygen')
    .description('Generate a key file for period 1. The file is secret.')
    .argument('[file]', 'output file; - for standard output (default: pixel.key.json)');
  return withFlags(command, keygenFlags).action(
    async (file: string | undefined, { out, suite, insecureSeedHex, force, json }: FlagsOf<typeof keygenFlags>) => {
      if (file !== undefined && out !== undefined && file !== out)
        throw new UsageError(`--out: expected either this flag or a file as the argument, got ${out} and ${file}`);
      const path = file ?? out ?? 'pixel.key.json';
      requirePlace(path, force);
      const pixel = await pixelOf(suite);
      const entropy = insecureSeedHex ?? randomBytes(entropyBytes);
      const pair = pixel.keyGen(entropy);
      entropy.fill(0);
      try {
        if (isStandardOutput(path)) {
          writeWhole(path, keyFileText(pair));
          return;
        }
        writeKeyFile(path, pair, force);
      } finally {
        pair.secretKey.fill(0);
      }
      const document = {
        file: path,
        suite,
        time: 1,
        publicKey: toHex(pair.publicKey),
        proofOfPossession: toHex(pair.proofOfPossession),
      };
      answer(
        context,
        json,
        document,
        `${path}: the key of period 1; keep this file to yourself\npublic key ${document.publicKey}\nproof of possession ${document.proofOfPossession}\n`,
      );
    },
  );
}

const updateFlags = {
  to: required('<n>', `later period, at most ${lastTime}`, period),
  insecureSeedHex: flag('<hex>', 'use this seed instead of entropy; "" for no seed; only for test vectors', seedHex(0)),
  json: jsonFlag,
};

function updateCommand(context: Context): Command {
  const command = new Command('update')
    .description('Update a key file to a later period, and overwrite the old key.')
    .argument('<file>', 'the key file');
  return withFlags(command, updateFlags).action(
    async (path: string, { to, insecureSeedHex, json }: FlagsOf<typeof updateFlags>) => {
      const entropy = insecureSeedHex ?? randomBytes(entropyBytes);
      const time = await updateKeyFile(path, to, entropy).finally(() => entropy.fill(0));
      answer(
        context,
        json,
        { time: to, from: time },
        `${path}: updated from period ${time} to ${to}; the key can no longer sign for earlier periods\n`,
      );
    },
  );
}

const signFlags = {
  message: required('<text>', 'text to sign', words),
  time: flag('<n>', 'required period of the key', period),
  json: jsonFlag,
};

function signCommand(context: Context): Command {
  const command = new Command('sign')
    .description('Sign a text in the period of the key file.')
    .argument('<file>', 'the key file');
  return withFlags(command, signFlags).action(
    async (path: string, { message, time: wanted, json }: FlagsOf<typeof signFlags>) => {
      const text = new TextEncoder().encode(message);
      const { time, signature } = await withKeyFile(path, ({ pixel, secretKey, publicKey }) => {
        const time = pixel.timeOf(secretKey);
        if (wanted !== undefined) requirePeriod(path, time, wanted);
        const signature = usable(path, () => pixel.sign(secretKey, text));
        if (!pixel.verify(publicKey, time, text, signature)) throw damaged(path);
        return { time, signature };
      });
      const hex = toHex(signature);
      answer(context, json, { time, signature: hex }, `period ${time}\n${hex}\n`);
    },
  );
}

/**
 * Checks that a key can sign in the requested period. @throws EnvironmentError `period-expired` or
 * `period-not-reached`.
 */
function requirePeriod(path: string, time: number, wanted: number): void {
  if (wanted < time)
    throw new EnvironmentError(
      'period-expired',
      `${path}: expected a key that can sign in period ${wanted}, got one of the later period ${time}`,
    );
  if (wanted > time)
    throw new EnvironmentError(
      'period-not-reached',
      `${path}: expected a key of period ${wanted}, got one of period ${time}; run 'tutti pixel update ${path} --to ${wanted}' first`,
    );
}

const verifyFlags = {
  publicKey: flag('<hex>', 'public key of 49 bytes, instead of a file', bytesHex(pixelPublicKeyBytes)),
  message: required('<text>', 'signed text', words),
  signature: required('<hex>', 'signature of 149 bytes', bytesHex(pixelSignatureBytes)),
  time: flag('<n>', 'required period of the signature (default: the period in the signature)', period),
  json: jsonFlag,
};

function verifyCommand(context: Context): Command {
  const command = new Command('verify')
    .description('Verify a signature of a text with noble-curves and the kernel.')
    .argument('[file]', 'key file that contains the public key');
  return withFlags(command, verifyFlags).action(
    async (file: string | undefined, { publicKey, message, signature, time, json }: FlagsOf<typeof verifyFlags>) => {
      if ((file === undefined) === (publicKey === undefined))
        throw new UsageError('--public-key: expected either this flag or a key file as the argument');
      const key = publicKey ?? (await withKeyFile(file!, (read) => read.publicKey));
      const named = signatureTime(signature);
      const invalid = (reason: string): EnvironmentError =>
        new EnvironmentError('invalid-signature', `invalid: ${reason}`);
      if (time !== undefined && named !== time)
        throw invalid(`expected a signature of period ${time}, got one of period ${named}`);
      if (named === 0) throw invalid('expected a period of at least 1, got 0');
      const suite = suiteOf(key);
      if (suite === undefined) throw invalid('the public key has an unknown suite');
      const names: string[] = [];
      for (const engine of ['noble', 'wasm'] as const) {
        const pixel = await loadPixel({ engine, suite });
        if (!pixel.verify(key, named, new TextEncoder().encode(message), signature))
          throw invalid(`${pixel.name} refuses the signature`);
        names.push(pixel.name);
      }
      answer(
        context,
        json,
        { valid: true, time: named, suite, verifiedBy: names },
        `valid in period ${named}, according to ${names.join(' and ')}\n`,
      );
    },
  );
}

const inspectFlags = { check: toggle('also check every sub-key against the public key'), json: jsonFlag };

function inspectCommand(context: Context): Command {
  const command = new Command('inspect')
    .description('Print the content of a key file without its secrets.')
    .argument('<file>', 'the key file');
  return withFlags(command, inspectFlags).action(
    async (path: string, { check, json }: FlagsOf<typeof inspectFlags>) => {
      const document = await withKeyFile(path, ({ pixel, secretKey, publicKey }) => {
        if (check === true && !pixel.verifySecretKey(publicKey, secretKey)) throw damaged(path);
        const subkeyTimes = pixel.subkeyTimes(secretKey);
        return {
          time: pixel.timeOf(secretKey),
          subkeys: subkeyTimes.length,
          subkeyTimes,
          suite: pixel.suite,
          publicKey: toHex(publicKey),
          secretKeyBytes: secretKey.length,
          secretKeySha256: createHash('sha256').update(secretKey).digest('hex'),
        };
      });
      const text = pairTable([
        ['period', `${document.time}; the key can sign in this period and all later ones`],
        [
          'sub-keys',
          `${document.subkeys}, for periods ${document.subkeyTimes.join(', ')}${check === true ? '; all match the public key' : ''}`,
        ],
        ['suite', document.suite],
        ['public key', document.publicKey],
        ['secret key', `${counted(document.secretKeyBytes, 'byte')}, SHA-256 ${document.secretKeySha256}`],
      ]);
      answer(context, json, document, text);
    },
  );
}

const corruptionFlags = {
  members: flag('<n>', 'number of members, 1 to 64', integer(1, 64), 4),
  rounds: flag('<n>', 'number of rounds, 2 to 64', integer(2, 64), 4),
};

function corruptionCommand(context: Context): Command {
  const command = new Command('corruption').description(
    'Give an adversary all keys of a committee after the last round, and report which earlier rounds it can rewrite.',
  );
  return withFlags(command, corruptionFlags)
    .addOption(seedOption('seed of the keys'))
    .addOption(jsonOption)
    .action(
      async ({ members, rounds, seed, json }: FlagsOf<typeof corruptionFlags> & { seed: number; json?: boolean }) => {
        const counter = new Counter(context, 'trying stolen keys', members, 'members');
        const document = await posteriorCorruption(members, rounds, seed, () => counter.step());
        counter.done();
        const rows = document.rewritten.map(({ round, bls, pixel }) => [
          String(round),
          bls === null ? 'unchanged' : 'rewritten',
          pixel === null ? 'unchanged' : 'rewritten',
        ]);
        answer(
          context,
          json,
          document,
          `${counted(members, 'member')}; all keys stolen after round ${rounds}. Attempts to sign other blocks for the earlier rounds:\n\n${columnTable(['round', 'BLS', 'Pixel'], rows)}\n${counted(document.attempts, 'attempt')} with Pixel's keys; ${document.signNow} of ${counted(members, 'stolen key')} can sign in round ${rounds}.\n`,
        );
      },
    );
}
