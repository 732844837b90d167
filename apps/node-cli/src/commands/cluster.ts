import { type CertificateForm, certificateForms } from '@tutti/certificates';
import type { WireForm } from '@tutti/core';
import type { Variant } from '@tutti/wasm-bls';
import { Command } from 'commander';
import { certificateInRegistry } from '../certify/registryCertificates.ts';
import { type ClusterProtocolName, clusterProtocolNames } from '../cluster/protocols.ts';
import type { ClusterOutcome } from '../cluster/roundOutcome.ts';
import { type ClusterOptions, withClusterFlags } from '../clusterFlags.ts';
import { runAsAsked } from '../clusterRuns.ts';
import { compareProtocols } from '../comparedProtocols.ts';
import { type Context, UsageError } from '../context.ts';
import { choice, type FlagsOf, flag, withFlags, words } from '../flags.ts';
import { type HornClusterFlags, hornClusterFlags, requireFlagsOf } from '../hornClusterFlags.ts';
import { runHornAsAsked } from '../hornClusterRuns.ts';
import { variantOption } from '../kernel.ts';
import { requireNamed, writeWhole } from '../output/files.ts';

/** Values of `--protocol`. */
const protocolNames = [...clusterProtocolNames, 'horn', 'all'] as const;

const ownFlags = {
  protocol: flag(
    '<name>',
    `protocol of the nodes: ${[...clusterProtocolNames, 'horn'].join(', ')}; all: run every protocol except horn, one after another, and compare them in one table`,
    choice(protocolNames),
    'handel',
  ),
  signatureEncoding: flag(
    '<name>',
    'encoding of sent signatures: compressed; or uncompressed, which takes twice as many bytes but is decoded without a square root',
    choice<WireForm>(['compressed', 'uncompressed']),
    'compressed',
  ),
  certificate: flag(
    '<file>',
    "also write the last round's certificate to this file, in the format that --format selects",
    words,
  ),
  format: flag(
    '<name>',
    `with --certificate: ${certificateForms.join(', ')} (default: tutti)`,
    choice<CertificateForm>(certificateForms),
  ),
};

type OwnOptions = Omit<ClusterOptions, 'protocol'> &
  HornClusterFlags &
  FlagsOf<typeof ownFlags> & { readonly variant?: Variant };

export function clusterCommand(context: Context): Command {
  const command = new Command('cluster').description(
    'Run real nodes on this machine, with real keys and signatures. They run Handel or a baseline until all honest nodes reach the threshold, or they run a Horn slot.',
  );
  withClusterFlags(command).addOption(variantOption());
  return withFlags(command, { ...ownFlags, ...hornClusterFlags }).action((options: OwnOptions) => {
    const { protocol, ...others } = options;
    requireFlagsOf(protocol, command);
    return protocol === 'horn' ? runHornAsAsked(others, context) : cluster(protocol, others, context);
  });
}

async function cluster(
  protocol: ClusterProtocolName | 'all',
  options: Omit<OwnOptions, 'protocol'>,
  context: Context,
): Promise<void> {
  const { certificate, format, variant, signatureEncoding: points } = options;
  if (certificate === undefined && format !== undefined)
    throw new UsageError('--format: valid only with --certificate');
  const title = variant === 'min-sig' ? 'BLS, min-sig' : 'BLS';
  const scheme = { name: 'bls', title, variant, points } as const;
  if (protocol === 'all') {
    if (certificate !== undefined) throw new UsageError('--certificate: valid only with one protocol');
    return compareProtocols(options, scheme, context);
  }
  if (certificate !== undefined) requireNamed(certificate, options.force);
  const outcome = await runAsAsked({ ...options, protocol }, scheme, context);
  if (certificate !== undefined) writeWhole(certificate, [await certificateOfLast(outcome, format)]);
}

function certificateOfLast({ entries, rounds }: ClusterOutcome, form: CertificateForm = 'tutti'): Promise<Uint8Array> {
  const { plan, output } = rounds.at(-1)!;
  return certificateInRegistry({ entries }, 'the cluster', { ...output, message: plan.message }, form);
}
