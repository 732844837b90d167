import { Command } from 'commander';
import type { Context } from '../context.ts';
import { anonymousClusterCommand } from './anonymousCluster.ts';

export function anonymousCommand(context: Context): Command {
  return new Command('anonymous')
    .description(
      'Anonymous signers: ring signatures of a list of members, the set-up of anonymous keys, Handel on them.',
    )
    .addCommand(anonymousClusterCommand(context));
}
