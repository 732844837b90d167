import type { ListedEntry } from '@tutti/certificates';
import type { Endpoint } from '@tutti/core';
import { EnvironmentError, toHex } from '@tutti/core/input';
import { type Context, counted, Interrupted, Progress } from '@tutti/node-cli/command';
import type { Identity, NodeSecrets } from '@tutti/node-cli/nodes';
import type { Transport } from '@tutti/transports';
import { monotonicClock, monotonicNs, nodeCrypto } from '@tutti/transports/node';
import type { Bls } from '@tutti/wasm-bls';
import { type SetupReport, SetupRuntime } from '../runtime.ts';
import { type MemberSetup, setupConfigOf } from './memberSetup.ts';

interface RegisterPlan {
  readonly bls: Bls;
  readonly setup: MemberSetup;
  readonly entries: readonly ListedEntry[];
  readonly identity: Identity;
  /** Identity secret of the member, 32 bytes. */
  readonly identitySecret: Uint8Array;
  readonly inbox: Transport;
  readonly hidden: Transport;
  /** Address to register for the anonymous key. */
  readonly endpoint: Endpoint;
  readonly periodMs: number;
  readonly contacts: number;
  readonly collectMs: number;
  /** Time after the end of the set-up during which the member still answers others, ms. */
  readonly lingerMs: number;
}

interface RegisteredMember {
  /** Entry of the member's anonymous key in the resulting registry. */
  readonly entry: ListedEntry;
  readonly secrets: NodeSecrets;
  readonly report: SetupReport;
}

/** Interval at which the command prints the progress and checks whether the set-up has ended, ms. */
const pollMs = 50;

/**
 * Runs a set-up for one member with a new anonymous key; its peers are elsewhere.
 *
 * @throws EnvironmentError `not-registered` if the final registry lacks the member's anonymous key; Interrupted on
 * Ctrl-C.
 */
export async function registerMember(plan: RegisterPlan, context: Context): Promise<RegisteredMember> {
  const { bls, setup, entries, identity, identitySecret, inbox, hidden, collectMs, contacts, periodMs } = plan;
  const secrets: NodeSecrets = {
    secretKey: bls.keyGen(nodeCrypto.randomBytes(32)),
    networkSecret: nodeCrypto.randomBytes(32),
  };
  const { transport } = entries[identity.index]!;
  const own = setup.register(identity.index, identitySecret, secrets, { endpoint: plan.endpoint, transport });
  let failure: Error | undefined;
  const runtime = new SetupRuntime({
    crypto: nodeCrypto,
    index: identity.index,
    networkSecret: identity.secrets.networkSecret,
    members: entries,
    session: setup.session,
    ...{ inbox, hidden },
    clock: monotonicClock(monotonicNs()),
    config: setupConfigOf(entries.length, { periodMs, contacts, collectMs }),
    registrations: setup.registrations,
    own: [own],
    onFailure: (error) => {
      failure = error;
    },
  });
  const progress = new Progress(context);
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) {
      if (failure !== undefined) throw failure;
      if (context.signal.aborted) throw new Interrupted();
      const { agreeing } = runtime.report();
      progress.update(
        () =>
          `set-up: ${runtime.accepted} of ${counted(entries.length, 'registration')}, the same list from ${counted(agreeing, 'member')}`,
      );
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  };
  try {
    runtime.start();
    await until(() => runtime.ended);
    // Other members may not know yet that all members agree, and may send further lists, which this member answers.
    const endedMs = performance.now();
    await until(() => performance.now() - endedMs >= plan.lingerMs);
  } finally {
    progress.done();
    await runtime.close();
  }
  const report = runtime.report();
  const key = toHex(bls.publicKey(secrets.secretKey));
  const entry = report.entries.find(({ publicKey }) => toHex(publicKey) === key);
  if (entry === undefined)
    throw new EnvironmentError(
      'not-registered',
      `set-up: ended with ${counted(report.entries.length, 'key')}, and without this member's; hold another, with more time for --collect`,
    );
  return { entry, secrets, report };
}
