import { Command } from 'commander';
import type { Context } from '../context.ts';
import { anonymousClusterCommand } from './anonymousCluster.ts';
import { anonymousEnlistCommand } from './anonymousEnlist.ts';
import { anonymousKeygenCommand } from './anonymousKeygen.ts';
import { anonymousLinkCommand } from './anonymousLink.ts';
import { anonymousRegisterCommand } from './anonymousRegister.ts';
import { anonymousRingsCommand } from './anonymousRings.ts';
import { anonymousSignCommand } from './anonymousSign.ts';
import { anonymousSimulateCommand } from './anonymousSimulate.ts';
import { anonymousVerifyCommand } from './anonymousVerify.ts';

export function anonymousCommand(context: Context): Command {
  return new Command('anonymous')
    .description(
      'Anonymous signers: ring signatures over a list of members, the set-up of anonymous keys, and Handel on those keys.',
    )
    .addCommand(anonymousClusterCommand(context))
    .addCommand(anonymousSimulateCommand(context))
    .addCommand(anonymousKeygenCommand(context))
    .addCommand(anonymousEnlistCommand(context))
    .addCommand(anonymousRegisterCommand(context))
    .addCommand(anonymousSignCommand(context))
    .addCommand(anonymousVerifyCommand(context))
    .addCommand(anonymousLinkCommand(context))
    .addCommand(anonymousRingsCommand(context));
}
