import { toHex } from '@tutti/core/input';
import {
  type ClusterOptions,
  type ClusterOutcome,
  runAsAsked,
  signatureFault,
  withClusterFlags,
} from '@tutti/node-cli/clusters';
import {
  Command,
  type Context,
  type FlagsOf,
  flag,
  integer,
  kernelName,
  UsageError,
  withFlags,
} from '@tutti/node-cli/command';
import { lastTime, loadPixel, stolenKeyReport } from '../index.ts';

const pixelFlags = { firstPeriod: flag('<n>', 'period of the first round', integer(1, lastTime), 1) };

/** Creates the command `tutti pixel cluster`: a cluster whose nodes update their keys before every round. */
export function clusterCommand(context: Context): Command {
  const command = new Command('cluster').description(
    'Run Handel nodes over UDP on this machine with Pixel signatures. The nodes update their keys before every round.',
  );
  return withFlags(withClusterFlags(command), pixelFlags).action(
    async (options: ClusterOptions & FlagsOf<typeof pixelFlags>) => {
      const firstPeriod = firstPeriodOf(options);
      const signers = new URL('../signers.js', import.meta.url).href;
      await runAsAsked(
        options,
        { name: 'pixel', title: 'Pixel', signers, firstPeriod, confirm, stealsKey: true, more: stolenKeyOf },
        context,
      );
    },
  );
}

/**
 * Returns the first period, after checking that the last round's period is valid too.
 *
 * @throws UsageError.
 */
function firstPeriodOf({ firstPeriod, rounds }: ClusterOptions & FlagsOf<typeof pixelFlags>): number {
  const last = lastTime - rounds + 1;
  if (firstPeriod <= last) return firstPeriod;
  throw new UsageError(`--first-period: expected an integer from 1 to ${last}, got ${firstPeriod}`);
}

/** Tries to sign for all earlier rounds with the first node's key after the last round. */
async function stolenKeyOf({ entries, rounds, stolenKey }: ClusterOutcome): Promise<object> {
  const messages = new Map(rounds.map(({ plan }) => [plan.period!, plan.message]));
  const periods = [...messages.keys()].slice(0, -1).reverse();
  const pixel = await loadPixel({ engine: kernelName(false) });
  const { publicKey } = entries[0]!;
  const report = stolenKeyReport(pixel, publicKey, stolenKey!, periods, (period) => messages.get(period)!);
  return { stolenKey: { publicKey: toHex(publicKey), ...report } };
}

/** Verifies the rounds with both libraries, at least one of which did not create the signatures. */
async function confirm({ entries, rounds }: Pick<ClusterOutcome, 'entries' | 'rounds'>): Promise<void> {
  for (const engine of ['noble', 'wasm'] as const) {
    const pixel = await loadPixel({ engine });
    const points = entries.map(({ publicKey }) => {
      const key = pixel.validatePublicKey(publicKey);
      if (key.ok) return key.point;
      throw signatureFault('a public key', pixel.name);
    });
    for (const { plan, output } of rounds) {
      const round = pixel.round(points, plan.period!, plan.message);
      try {
        if (!round.verify(0, output.bits, output.signature)) throw signatureFault('the multi-signature', pixel.name);
      } finally {
        round.free();
      }
    }
  }
}
