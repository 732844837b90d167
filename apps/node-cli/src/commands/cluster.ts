import { type CertificateForm, certificateForms } from '@tutti/certificates';
import type { WireForm } from '@tutti/core';
import type { AttackShare } from '@tutti/simulation';
import { readerOf, scenarioTable } from '@tutti/simulation/fields';
import type { Variant } from '@tutti/wasm-bls';
import { Command } from 'commander';
import { certificateBy } from '../certify/certificateFiles.ts';
import { hornLies } from '../cluster/hornMessages.ts';
import type { ClusterOutcome } from '../cluster/runCluster.ts';
import { type ClusterOptions, runAsAsked, withClusterFlags } from '../clusterRuns.ts';
import type { Context } from '../context.ts';
import { choice, type FlagReader, type FlagsOf, flag, flagOf, ranged, several, withFlags, words } from '../flags.ts';
import { type HornClusterFlags, hornClusterFlags, requireFlagsOf } from '../hornClusterFlags.ts';
import { runHornAsAsked } from '../hornClusterRuns.ts';
import { variantOption } from '../kernel.ts';
import { requireNamed, writeWhole } from '../output/files.ts';
import { UsageError } from '../usageError.ts';

const ownFlags = {
  protocol: flag('<name>', 'what the nodes run: handel or horn', choice(['handel', 'horn']), 'handel'),
  dead: flag('<share>', 'horn: share of the nodes that are dead', ranged(scenarioTable.dead.range), 0),
  attack: flag(
    '<name:share>',
    `horn: make a share of the nodes liars, with keys of their own; repeatable: ${hornLies.join(', ')}`,
    several((name) => flagOf(name, readerOf(scenarioTable.attacks.range)) as unknown as FlagReader<AttackShare>),
  ),
  points: flag(
    '<name>',
    'how signatures travel: compressed; or uncompressed, at twice the bytes, read without a square root',
    choice<WireForm>(['compressed', 'uncompressed']),
    'compressed',
  ),
  certificate: flag('<file>', "also write the last round's certificate to this file, in the form of --format", words),
  format: flag(
    '<name>',
    `with --certificate: ${certificateForms.join(', ')} (default: tutti)`,
    choice<CertificateForm>(certificateForms),
  ),
};

type OwnOptions = ClusterOptions & HornClusterFlags & FlagsOf<typeof ownFlags> & { readonly variant?: Variant };

export function clusterCommand(context: Context): Command {
  const command = new Command('cluster').description(
    'Run real nodes on this machine, with real keys and signatures: Handel until all have reached the threshold, or a slot of Horn.',
  );
  withClusterFlags(command).addOption(variantOption());
  return withFlags(command, { ...ownFlags, ...hornClusterFlags }).action((options: OwnOptions) => {
    requireFlagsOf(options.protocol, command);
    return options.protocol === 'horn' ? runHornAsAsked(options, context) : cluster(options, context);
  });
}

async function cluster(options: OwnOptions, context: Context): Promise<void> {
  const { certificate, format, variant, points } = options;
  if (certificate === undefined && format !== undefined) throw new UsageError('--format: only with --certificate');
  if (certificate !== undefined) requireNamed(certificate, options.force, 'cluster.json');
  const title = variant === 'min-sig' ? 'BLS, min-sig' : 'BLS';
  const outcome = await runAsAsked(options, { name: 'bls', title, variant, points }, context);
  if (certificate !== undefined) writeWhole(certificate, [await certificateOfLast(outcome, format)]);
}

function certificateOfLast({ entries, rounds }: ClusterOutcome, form: CertificateForm = 'tutti'): Promise<Uint8Array> {
  const { plan, output } = rounds.at(-1)!;
  return certificateBy({ entries }, 'the cluster', { ...output, message: plan.message }, form);
}
