import { randomBytes } from 'node:crypto';
import { WorldError } from '@tutti/core/errors';
import { toHex } from '@tutti/core/input';
import { answer, Command, type Context, jsonOption } from '@tutti/node-cli/command';
import { readIdentity } from '../members/identityFile.ts';
import { openedRing, type RingFlags, withRingFlags } from '../members/ringFlags.ts';

export function anonymousSignCommand(context: Context): Command {
  return withRingFlags(
    new Command('sign')
      .description('Sign a text as one of a ring, without saying which.')
      .argument('<file>', "the signer's identity")
      .requiredOption('--message <text>', 'what is signed'),
  )
    .addOption(jsonOption)
    .action((path: string, { message, json, ...flags }: RingFlags & { message: string; json?: boolean }) => {
      const { scheme, ring, event } = openedRing(flags);
      const { publicKey, secretKey } = readIdentity(path);
      if (ring.indexOf(publicKey) === -1)
        throw new WorldError(
          'not-in-ring',
          `${path}: its public key is not in ${flags.ring}; a ring has all who may sign`,
        );
      const signature = scheme.sign(ring, secretKey, event, new TextEncoder().encode(message), randomBytes(32));
      const hex = toHex(signature);
      answer(context, json, { signatures: scheme.name, members: ring.size, signature: hex }, `${hex}\n`);
    });
}
