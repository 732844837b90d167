import type { SignatureClaim } from '../runtime/verification.ts';
import type { RoundVerifier } from './verifier.ts';

/**
 * Maximum number of cached verdicts of a round. It exceeds the number that the nodes of one process request at a time.
 */
const maxRemembered = 1024;

/**
 * Returns a verifier that checks each contribution only once, even if several nodes of a process receive it. Whole
 * halves of the tree receive the same bytes on level after level, or the same invalid contribution of a Byzantine node.
 * A verdict depends only on the bytes, not on their sender.
 */
export function sharedVerdicts(verifier: RoundVerifier): RoundVerifier {
  const verdicts = new Map<string, Promise<boolean>>();
  return {
    verifyBatch(claims) {
      const names = claims.map(nameOf);
      const fresh = new Map(claims.map((claim, place) => [names[place]!, claim] as const));
      for (const name of fresh.keys()) if (verdicts.has(name)) fresh.delete(name);
      const answers = fresh.size === 0 ? undefined : verifier.verifyBatch([...fresh.values()]);
      for (const [place, name] of [...fresh.keys()].entries()) {
        const verdict = answers!.then((all) => all[place]!);
        // If a check could not be carried out, it is repeated on the next request.
        verdict.catch(() => verdicts.delete(name));
        verdicts.set(name, verdict);
      }
      const all = Promise.all(names.map((name) => verdicts.get(name)!));
      for (const name of verdicts.keys()) {
        if (verdicts.size <= maxRemembered) break;
        verdicts.delete(name);
      }
      return all;
    },
    close: () => verifier.close(),
  };
}

function nameOf({ first, bits, signature }: SignatureClaim): string {
  return `${first} ${bits.length} ${String.fromCharCode(...bits, ...signature)}`;
}
