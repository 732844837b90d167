import { toHex } from '@tutti/core/input';
import { answer, Command, type Context, jsonOption } from '@tutti/node-cli/command';
import { markOf, openedRing, type RingFlags, signatureFlag, withRingFlags } from '../members/ringFlags.ts';

interface VerifyFlags extends RingFlags {
  readonly message: string;
  readonly signature: Uint8Array;
  readonly json?: boolean;
}

export function anonymousVerifyCommand(context: Context): Command {
  return withRingFlags(new Command('verify').description('Verify that a member of a ring signed a text.'))
    .requiredOption('--message <text>', 'what was signed')
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
        `valid: one of these ${members} signed it\n`,
      );
    });
}
