import { randomBytes } from 'node:crypto';
import { toHex } from '@tutti/core/input';
import {
  answer,
  Command,
  type Context,
  forceOption,
  isStandardOutput,
  jsonOption,
  requirePlace,
} from '@tutti/node-cli/command';
import { writeIdentity } from '../members/identityFile.ts';
import { identityKeyGen } from '../ring.ts';

export function anonymousKeygenCommand(context: Context): Command {
  return new Command('keygen')
    .description('Make an identity key, on ristretto255, to sign as one of a ring; the file is secret.')
    .argument('[file]', 'where it goes; - for the standard output', 'identity.json')
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
        `${path}: an identity; keep this file to yourself\npublic key ${publicKey}\n`,
      );
    });
}
