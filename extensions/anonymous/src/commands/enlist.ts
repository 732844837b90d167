import {
  answer,
  Command,
  type Context,
  EnvironmentError,
  forceOption,
  isStandardOutput,
  jsonOption,
  loadKernel,
  requirePlace,
  writeWhole,
} from '@tutti/node-cli/command';
import { requireOwnKey } from '@tutti/node-cli/nodes';
import { readIdentity } from '../members/identityFile.ts';
import { listIdentity } from '../members/listedIdentity.ts';
import { formatListed } from '../members/listedIdentityFile.ts';
import { readOwnKeys } from '../members/ownKeys.ts';

interface EnlistFlags {
  readonly key: string;
  readonly out: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function anonymousEnlistCommand(context: Context): Command {
  return new Command('enlist')
    .description("Bind an identity key to a member's BLS key, in a file for the list of members.")
    .argument('<identity>', "identity file from 'tutti anonymous keygen'")
    .requiredOption('--key <file>', "the member's secrets, from 'tutti registry keygen'")
    .option('--out <file>', 'output file; - for standard output', 'identity.listed.json')
    .addOption(forceOption)
    .addOption(jsonOption)
    .action(async (path: string, { key, out, force, json }: EnlistFlags) => {
      requirePlace(out, force);
      const identity = readIdentity(path);
      const keys = readOwnKeys(key);
      if (keys.length > 1)
        throw new EnvironmentError(
          'not-a-key-file',
          `${key}: expected the secrets of one member, got those of several`,
        );
      const own = keys[0]!;
      const bls = await loadKernel();
      requireOwnKey(bls, own, key);
      writeWhole(out, formatListed(own.publicKey, listIdentity(bls, own.secretKey, identity)));
      if (isStandardOutput(out)) return;
      answer(context, json, { file: out }, `${out}: the identity key and the BLS key, each signed by the other key\n`);
    });
}
