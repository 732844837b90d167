import type { SignatureClaim } from '../runtime/verification.ts';
import type { RoundVerifier } from './verifier.ts';

/** Verdicts that are remembered of a round: more than its nodes of one process ask about at a time. */
const mostRemembered = 1024;

/**
 * Has what several nodes of a process were told checked once: level after level, whole halves of the tree are sent the
 * same bytes, and a liar its same lie. A verdict is of the bytes alone, whoever sent them.
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
        // What could not be checked is asked again.
        verdict.catch(() => verdicts.delete(name));
        verdicts.set(name, verdict);
      }
      const all = Promise.all(names.map((name) => verdicts.get(name)!));
      for (const name of verdicts.keys()) {
        if (verdicts.size <= mostRemembered) break;
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
