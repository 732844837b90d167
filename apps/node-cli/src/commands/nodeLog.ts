import { existsSync, rmSync } from 'node:fs';
import { certificateRegistryDigest, memberKeys } from '@tutti/certificates';
import { type InterchangeReport, openSignedLog, readSignedLog, type SignedLogFile } from '@tutti/certificates/log';
import { blsVariantOf } from '@tutti/core';
import { pointedTo } from '@tutti/transports/files';
import { Command } from 'commander';
import { answer, type Context, UsageError } from '../context.ts';
import { type FlagsOf, flag, forceFlag, integer, jsonFlag, jsonOption, required, withFlags, words } from '../flags.ts';
import { loadKernel } from '../kernel.ts';
import { identify } from '../node/identity.ts';
import { readRegistryFile, rethrowWithPath } from '../node/registryFile.ts';
import { isStandardOutput, readSecret, readWhole, requirePlace, writeWhole } from '../output/files.ts';
import { counted, grouped, pairTable } from '../output/text.ts';

const keyFlags = {
  registry: required('<file>', 'the registry that contains the key', words),
  key: flag('<file>', "file with the member's secrets (default: the log's name without .signed)", words),
  node: flag('<n>', "index of the member's entry, if the secrets belong to several entries", integer(0, 2 ** 20)),
};

const importFlags = { ...keyFlags, json: jsonFlag };

const exportFlags = {
  ...keyFlags,
  out: flag('<file>', 'output file; - for standard output', words, '-'),
  force: forceFlag,
  json: jsonFlag,
};

export function nodeLogCommand(context: Context): Command {
  return new Command('log')
    .description(
      "Show 'KEY.signed', the log of the messages that a key signed, and transfer it between signers in the format of EIP-3076.",
    )
    .addCommand(showCommand(context))
    .addCommand(exportCommand(context))
    .addCommand(importCommand(context));
}

function showCommand(context: Context): Command {
  return new Command('show')
    .description(
      'Show the heights in a log, and the height up to which no new message is signed. The log may be in use by a signer.',
    )
    .argument('<log>', "the log, 'KEY.signed'")
    .addOption(jsonOption)
    .action((path: string, { json }: { readonly json?: boolean }) => {
      const { heights, watermark, version, bytes } = readSignedLog(path);
      const [first, last] = [heights[0]?.[0], heights.at(-1)?.[0]];
      const document = {
        log: path,
        version,
        bytes,
        watermark: watermark === undefined ? null : String(watermark),
        heights: heights.map(([height, message]) => ({ height: String(height), message })),
      };
      const range = first === undefined ? '' : `, from ${first} to ${last}`;
      const words = pairTable([
        ['log', `${path}, version ${version}, ${counted(bytes, 'byte')}`],
        ['heights', `${grouped(heights.length)}${range}`],
        [
          'watermark',
          watermark === undefined ? 'none' : `${watermark}: no new message is signed at or below this height`,
        ],
      ]);
      answer(context, json, document, words);
    });
}

function exportCommand(context: Context): Command {
  const command = new Command('export')
    .description('Write the signed messages as an EIP-3076 interchange file. The signer must have stopped permanently.')
    .argument('<log>', "the log, 'KEY.signed'");
  return withFlags(command, exportFlags).action(
    async (path: string, { out, force, json, ...key }: FlagsOf<typeof exportFlags>) => {
      requirePlace(out, force);
      const names = await namesOf(path, key);
      // Opening a log would create a missing file, so the log is read first.
      const { heights, watermark } = readSignedLog(path);
      const text = withLog(path, (log) => log.exportInterchange(names.publicKey, names.registry));
      if (isStandardOutput(out)) return context.out(text);
      writeWhole(out, text, 0o600);
      answer(
        context,
        json,
        { log: path, out, heights: heights.length, watermark: watermark === undefined ? null : String(watermark) },
        `${out} contains all signed messages; never start this signer again, because the exported file would lack its later signatures\n`,
      );
    },
  );
}

function importCommand(context: Context): Command {
  const command = new Command('import')
    .description(
      'Import an EIP-3076 interchange file with the messages that another signer of the key signed. An error leaves the log unchanged.',
    )
    .argument('<log>', "the log 'KEY.signed'; created if missing")
    .argument('<file>', "the interchange file, from 'tutti node log export' or another signer");
  return withFlags(command, importFlags).action(
    async (path: string, file: string, { json, ...key }: FlagsOf<typeof importFlags>) => {
      const names = await namesOf(path, key);
      const text = readWhole(file);
      const isNew = !existsSync(path);
      const report = withLog(path, (log) => {
        try {
          return log.importInterchange(text, names.publicKey, names.registry);
        } catch (error) {
          // The log was created only for this import.
          if (isNew) rmSync(pointedTo(path), { force: true });
          return rethrowWithPath(file, error, 'interchange-');
        }
      });
      const watermark = report.watermark === undefined ? null : String(report.watermark);
      answer(context, json, { log: path, file, isNew, ...report, watermark }, importedWords(path, file, report));
    },
  );
}

function importedWords(
  path: string,
  file: string,
  { taken, conflicts, attestations, watermark }: InterchangeReport,
): string {
  const closed =
    watermark === undefined ? '' : `; at or below height ${watermark}, the member signs only messages in this log`;
  const lines = [
    `${path}: took ${counted(taken, 'height')} from ${file}${closed}`,
    ...(conflicts > 0
      ? [`${counted(conflicts, 'height')} with two conflicting messages, neither of which is signed again`]
      : []),
    ...(attestations > 0
      ? [`${counted(attestations, 'attestation')} ignored: the log stores only messages with a height`]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns the public key and the registry digest by which an interchange file names the signer. */
async function namesOf(path: string, { registry, key = secretsOf(path), node }: FlagsOf<typeof keyFlags>) {
  const listed = readRegistryFile(registry);
  const { entries } = listed;
  const secrets = readSecret(key, (text) => memberKeys(text, key));
  const bls = await loadKernel(blsVariantOf(entries));
  const { publicKey } = identify(bls, entries, secrets, node, key).secrets;
  return { publicKey, registry: certificateRegistryDigest(listed) };
}

/** Returns the default name of the file with the secrets: the name of the log without `.signed`. */
function secretsOf(path: string): string {
  const [, key] = /^(.+)\.signed$/.exec(path) ?? [];
  if (key === undefined)
    throw new UsageError(`--key: expected the file with the key's secrets, because ${path} does not end in .signed`);
  return key;
}

/** Opens a log, which must not be open in a signer, and closes the log after the function returns or throws. */
function withLog<T>(path: string, act: (log: SignedLogFile) => T): T {
  const log = openSignedLog(path);
  try {
    return act(log);
  } finally {
    log.close();
  }
}
