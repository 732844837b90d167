import { randomBytes } from 'node:crypto';
import { EnvironmentError, toHex } from '@tutti/core/input';
import {
  answer,
  Command,
  type Context,
  type Extension,
  forceOption,
  isStandardOutput,
  jsonOption,
  requirePlace,
} from '@tutti/node-cli/command';
import { anonymousClusterCommand } from './commands/cluster.ts';
import { anonymousEnlistCommand } from './commands/enlist.ts';
import { anonymousLinkCommand } from './commands/link.ts';
import { anonymousRegisterCommand } from './commands/register.ts';
import { anonymousRingsCommand } from './commands/rings.ts';
import { anonymousSimulateCommand } from './commands/simulate.ts';
import { readIdentity, writeIdentity } from './members/identityFile.ts';
import { markOf, openedRing, type RingFlags, signatureFlag, withRingFlags } from './members/ringFlags.ts';
import { identityKeyGen } from './ring.ts';

const pages = ['README of @tutti/anonymous'];
const ring = '--ring ring.json --event vote-7';

/** Examples and documentation pages for the help of each command. */
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

/** Creates the command that this extension adds to `tutti`. */
export const command: Extension['command'] = (context) =>
  new Command('anonymous')
    .description(
      'Anonymous signers: ring signatures over a list of members, the set-up of anonymous keys, and Handel with these keys.',
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

function anonymousKeygenCommand(context: Context): Command {
  return new Command('keygen')
    .description('Generate an identity key (ristretto255) for signatures as a member of a ring. The file is secret.')
    .argument('[file]', 'output file; - for standard output', 'identity.json')
    .addOption(forceOption)
    .addOption(jsonOption)
    .action((path: string, { force, json }: { force?: boolean; json?: boolean }) => {
      requirePlace(path, force);
      const pair = identityKeyGen(randomBytes(64));
      writeIdentity(path, pair);
      if (isStandardOutput(path)) return;
      const publicKey = toHex(pair.publicKey);
      answer(
        context,
        json,
        { file: path, publicKey },
        `${path}: a new identity; keep this file secret\npublic key ${publicKey}\n`,
      );
    });
}

function anonymousSignCommand(context: Context): Command {
  return withRingFlags(
    new Command('sign')
      .description('Sign a text as a member of a ring, without revealing which member.')
      .argument('<file>', "the signer's identity file")
      .requiredOption('--message <text>', 'text to sign'),
  )
    .addOption(jsonOption)
    .action((path: string, { message, json, ...flags }: RingFlags & { message: string; json?: boolean }) => {
      const { scheme, ring, event } = openedRing(flags);
      const { publicKey, secretKey } = readIdentity(path);
      if (ring.indexOf(publicKey) === -1)
        throw new EnvironmentError(
          'not-in-ring',
          `${path}: its public key is not in ${flags.ring}; expected a ring that contains the signer`,
        );
      const signature = scheme.sign(ring, secretKey, event, new TextEncoder().encode(message), randomBytes(32));
      const hex = toHex(signature);
      answer(context, json, { signatures: scheme.name, members: ring.size, signature: hex }, `${hex}\n`);
    });
}

interface VerifyFlags extends RingFlags {
  readonly message: string;
  readonly signature: Uint8Array;
  readonly json?: boolean;
}

function anonymousVerifyCommand(context: Context): Command {
  return withRingFlags(new Command('verify').description('Verify a ring signature of a text.'))
    .requiredOption('--message <text>', 'signed text')
    .requiredOption('--signature <hex>', 'the signature', signatureFlag('--signature'))
    .addOption(jsonOption)
    .action(({ message, signature, json, ...flags }: VerifyFlags) => {
      const opened = openedRing(flags);
      const { tags } = markOf(opened, message, signature);
      const members = opened.ring.size;
      answer(
        context,
        json,
        { valid: true, signatures: flags.signatures, members, tags: tags.map(toHex) },
        `valid: one of the ${members} members signed the text\n`,
      );
    });
}
