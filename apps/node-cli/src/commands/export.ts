import { statSync } from 'node:fs';
import { type CertificateForm, certificateForms } from '@tutti/certificates';
import { version } from '@tutti/core';
import { NodeRole, perfettoTrace, type Recording, shivizLog } from '@tutti/simulation';
import { Command } from 'commander';
import { certificateInRegistry } from '../certify/registryCertificates.ts';
import { readSigned } from '../certify/signedDocument.ts';
import { answer, type Context, UsageError } from '../context.ts';
import { choice, type FlagsOf, flag, forceFlag, integer, jsonFlag, unless, withFlags, words } from '../flags.ts';
import { loadRegistry } from '../node/registryFile.ts';
import { isStandardOutput, requirePlace, writeWhole } from '../output/files.ts';
import { counted, grouped } from '../output/text.ts';
import { readRecording } from '../runFiles.ts';

const exportFlags = {
  perfetto: flag(
    '<file>',
    'write a trace for Perfetto, with nodes as threads, verifications as slices and messages as flows',
    words,
  ),
  shiviz: flag('<file>', 'write a log for ShiViz, with vector clocks', words),
  certificate: flag(
    '<file>',
    'verify the document, and write its certificate in the format that --format selects',
    words,
  ),
  format: flag('<name>', `${certificateForms.join(', ')} (default: tutti)`, choice<CertificateForm>(certificateForms)),
  registry: flag('<file>', 'with --certificate: registry of the members that signed', words),
  force: forceFlag,
  messages: unless('omit messages from the trace, which reduces its size by about 90 %'),
  maxNodes: flag(
    '<n>',
    "maximum number of live nodes in a ShiViz log; the log's size grows faster than the square of this number",
    integer(1, 2 ** 20),
    128,
  ),
  json: jsonFlag,
};

type ExportOptions = FlagsOf<typeof exportFlags>;

export function exportCommand(context: Context): Command {
  const command = new Command('export')
    .description(
      "Convert a recording from 'tutti simulate --record' to the format of another tool, or a document from 'tutti cluster --out' or 'tutti node --out-folder' to a certificate.",
    )
    .argument('<file>', 'the recording, or the JSON document');
  return withFlags(command, exportFlags).action((path: string, options: ExportOptions) =>
    options.certificate === undefined
      ? exportRecording(path, options, context)
      : exportCertificate(path, options.certificate, options, context),
  );
}

function exportRecording(path: string, options: ExportOptions, context: Context): void {
  const { perfetto, shiviz, format, registry, maxNodes, force, json } = options;
  if (format !== undefined || registry !== undefined)
    throw new UsageError(`--${format === undefined ? 'registry' : 'format'}: valid only with --certificate`);
  const targets = [perfetto, shiviz].filter((target) => target !== undefined);
  if (targets.length === 0)
    throw new UsageError(
      'export: expected --perfetto FILE, --shiviz FILE or both, or --certificate FILE, got none of them',
    );
  for (const target of targets) requirePlace(target, force);
  const recording = readRecording(path);
  const made = recording.result.version;
  if (made !== version)
    context.err(`${path}: recorded by version ${made}, read by ${version}; the recorded run is unchanged\n`);
  if (shiviz !== undefined) requireClocks(recording, maxNodes);
  if (perfetto !== undefined) writeWhole(perfetto, perfettoTrace(recording, options));
  if (shiviz !== undefined) writeWhole(shiviz, shivizLog(recording, options));
  if (targets.some(isStandardOutput)) return;
  const files = targets.map((file) => ({ file, bytes: statSync(file).size }));
  const sizes = files.map(({ file, bytes }) => `${file}: ${grouped(bytes / 1e6, 1)} MB\n`);
  answer(context, json, { files }, sizes.join(''));
}

async function exportCertificate(
  path: string,
  target: string,
  { perfetto, shiviz, format, registry, force, json }: ExportOptions,
  context: Context,
): Promise<void> {
  if (perfetto !== undefined || shiviz !== undefined)
    throw new UsageError('--certificate: cannot be combined with --perfetto or --shiviz, which export recordings');
  if (registry === undefined) throw new UsageError('--certificate: expected --registry FILE as well');
  requirePlace(target, force);
  const signed = readSigned(path);
  const bytes = await certificateInRegistry(await loadRegistry(registry, context), path, signed, format ?? 'tutti');
  writeWhole(target, [bytes]);
  if (isStandardOutput(target)) return;
  const files = [{ file: target, bytes: bytes.length }];
  answer(context, json, { files }, `${target}: ${counted(bytes.length, 'byte')}\n`);
}

/**
 * Checks, before any output is written, that a recording is suitable for vector clocks.
 *
 * @throws UsageError.
 */
function requireClocks({ world, sends }: Recording, maxNodes: number): void {
  if (!sends) throw new UsageError('--shiviz: expected a recording with its messages, got one made with --no-sends');
  const live = world.role.filter((role) => role !== NodeRole.dead).length;
  if (live > maxNodes) {
    throw new UsageError(
      `--shiviz: expected at most ${counted(maxNodes, 'live node')}, got ${live}; use --max-nodes to raise the limit (a log of 256 nodes takes 90 MB)`,
    );
  }
}
