import { Command, type Extension } from '@tutti/node-cli/command';
import { anonymousClusterCommand } from './commands/cluster.ts';
import { anonymousEnlistCommand } from './commands/enlist.ts';
import { anonymousKeygenCommand } from './commands/keygen.ts';
import { anonymousLinkCommand } from './commands/link.ts';
import { anonymousRegisterCommand } from './commands/register.ts';
import { anonymousRingsCommand } from './commands/rings.ts';
import { anonymousSignCommand } from './commands/sign.ts';
import { anonymousSimulateCommand } from './commands/simulate.ts';
import { anonymousVerifyCommand } from './commands/verify.ts';

const pages = ['README of @tutti/anonymous'];
const ring = '--ring ring.json --event vote-7';

export const notes: Extension['notes'] = {
  'anonymous cluster': {
    examples: ['--nodes 16', '--nodes 16 --cheats 2 --again', '--nodes 8 --transport tcp --proxy 127.0.0.1:9050'],
    pages,
  },
  'anonymous simulate': { examples: ['--nodes 64', '--cheats 3 --way direct --loss 0.05'], pages },
  'anonymous keygen': { examples: ['alice.identity.json', '-'], pages },
  'anonymous enlist': {
    examples: ['alice.identity.json --key alice.secrets.json --out alice.listed.json'],
    pages,
  },
  'anonymous register': {
    examples: [
      '--registry registry.json --identities alice.listed.json bob.listed.json --key alice.secrets.json --identity alice.identity.json --event 2026',
    ],
    pages,
  },
  'anonymous sign': {
    examples: [`alice.identity.json ${ring} --message yes`],
    pages,
  },
  'anonymous verify': { examples: [`${ring} --message yes --signature "$HEX"`], pages },
  'anonymous link': {
    examples: [`${ring} --message yes --signature "$ONE" --other-message no --other-signature "$OTHER"`],
    pages,
  },
  'anonymous rings': { examples: ['--nodes 64', '--known 0.8 --svg rings.svg'], pages },
};

export const command: Extension['command'] = (context) =>
  new Command('anonymous')
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
