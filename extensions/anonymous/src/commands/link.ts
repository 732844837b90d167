import { toHex } from '@tutti/core/input';
import { answer, Command, type Context, jsonOption } from '@tutti/node-cli/command';
import { markOf, openedRing, type RingFlags, signatureFlag, withRingFlags } from '../members/ringFlags.ts';

interface LinkFlags extends RingFlags {
  readonly message: string;
  readonly signature: Uint8Array;
  readonly otherMessage: string;
  readonly otherSignature: Uint8Array;
  readonly json?: boolean;
}

const sentences = {
  independent: 'independent: two members signed',
  repeated: 'repeated: one member signed the same message twice',
  double: 'double: one member signed two messages',
} as const;

export function anonymousLinkCommand(context: Context): Command {
  return withRingFlags(new Command('link').description('Report whether one member made two signatures in an event.'))
    .requiredOption('--message <text>', 'text of the first signature')
    .requiredOption('--signature <hex>', 'the first signature', signatureFlag('--signature'))
    .requiredOption('--other-message <text>', 'text of the second signature')
    .requiredOption('--other-signature <hex>', 'the second signature', signatureFlag('--other-signature'))
    .addOption(jsonOption)
    .action(({ message, signature, otherMessage, otherSignature, json, ...flags }: LinkFlags) => {
      const opened = openedRing(flags);
      const relation = opened.scheme.relate(
        markOf(opened, message, signature, 'the first signature'),
        markOf(opened, otherMessage, otherSignature, 'the second signature'),
      );
      const signer = relation.kind === 'double' ? relation.signer : undefined;
      const key = signer === undefined ? undefined : toHex(opened.ring.keys[signer]!);
      answer(
        context,
        json,
        { ...relation, ...(key === undefined ? {} : { publicKey: key }) },
        `${sentences[relation.kind]}${key === undefined ? '' : `: member ${signer}, public key ${key}`}\n`,
      );
    });
}
