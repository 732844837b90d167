import { toHex } from '@tutti/transports';
import { insecureSecretKey, loadBls, possessionDst } from '@tutti/wasm-bls';
import { blsLinkTag, whoMadeBlsTag } from '@tutti/wasm-bls/ring';
import { Command } from 'commander';
import { jsonOption, seedOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { integerFlag } from '../flags.ts';
import { answer } from '../output/answer.ts';
import { Counter } from '../output/progress.ts';
import { UsageError } from '../usageError.ts';

interface MistakeFlags {
  readonly signers: number;
  readonly signer?: number;
  readonly seed: number;
  readonly json?: boolean;
}

export function anonymousMistakeCommand(context: Context): Command {
  return new Command('mistake')
    .description('Make a link tag with a BLS key, and find its signer by pairings: why identity keys are separate.')
    .option('--signers <n>', 'candidates, 2 to 64', integerFlag('--signers', 2, 64), 8)
    .option('--signer <n>', 'who makes the tag; default: the last but one', integerFlag('--signer', 0, 63))
    .addOption(seedOption('of the keys'))
    .addOption(jsonOption)
    .action(async ({ signers, signer = signers - 2, seed, json }: MistakeFlags) => {
      if (signer >= signers) throw new UsageError(`--signer: expected one of 0 to ${signers - 1}, got ${signer}`);
      const bls = await loadBls({ kernel: 'noble' });
      const secrets = Array.from({ length: signers }, (_, i) => insecureSecretKey(bls, seed, i));
      const event = new TextEncoder().encode('set-up 1');
      const tag = blsLinkTag(secrets[signer]!, event);
      const published = secrets.map((secret) => ({
        message: bls.publicKey(secret),
        signature: bls.provePossession(secret),
        domain: possessionDst,
      }));
      const counter = new Counter(context, 'trying the tag', signers, 'candidates');
      const found = whoMadeBlsTag(tag, event, published, () => counter.step());
      counter.done();
      answer(
        context,
        json,
        { signers, signer, tag: toHex(tag), found },
        `${signers} candidates, each with a proof of possession in the registry\ntag of signer ${signer}: ${toHex(tag)}\ne(tag, Q) = e(B, proof) holds for ${found.join(', ')} alone\n`,
      );
    });
}
