import { WorldError } from '@tutti/transports/errors';
import { Command } from 'commander';
import { readIdentity } from '../anonymous/identityFile.ts';
import { listIdentity } from '../anonymous/listedIdentity.ts';
import { formatListed } from '../anonymous/listedIdentityFile.ts';
import { forceOption, jsonOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { loadKernel } from '../kernel.ts';
import { parseSecrets } from '../node/secretsFile.ts';
import { answer } from '../output/answer.ts';
import { isStandardOutput, readWhole, requirePlace, writeWhole } from '../output/files.ts';

interface EnlistFlags {
  readonly key: string;
  readonly out: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function anonymousEnlistCommand(context: Context): Command {
  return new Command('enlist')
    .description("Bind an identity key to a member's BLS key, in a file to hand out for the list of members.")
    .argument('<identity>', "what 'tutti anonymous keygen' wrote")
    .requiredOption('--key <file>', "the member's secrets, from 'tutti keygen'")
    .option('--out <file>', 'where it goes; - for the standard output', 'identity.listed.json')
    .addOption(forceOption)
    .addOption(jsonOption)
    .action(async (path: string, { key, out, force, json }: EnlistFlags) => {
      requirePlace(out, force);
      const identity = readIdentity(path);
      const [own, ...others] = parseSecrets(readWhole(key), key);
      if (own === undefined || others.length > 0)
        throw new WorldError('not-a-key-file', `${key}: expected the secrets of one member, got those of several`);
      writeWhole(out, formatListed(own.publicKey, listIdentity(await loadKernel(), own.secretKey, identity)));
      if (isStandardOutput(out)) return;
      answer(context, json, { file: out }, `${out}: the identity, bound to the BLS key by a signature of each\n`);
    });
}
