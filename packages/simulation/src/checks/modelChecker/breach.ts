import { CheckFailed, type ClaimName } from '../../checkers/claims.ts';

/** A claim that does not hold, what was expected, and what came. */
export interface Breach {
  /**
   * A claim of the checkers; that everybody falls silent (v1.03 section 6); or that a node never throws, whatever it is
   * told.
   */
  readonly claim: ClaimName | 'silence' | 'no-throw';
  readonly what: string;
}

/** Whether it takes a fair end to see a claim broken; the others are broken at some moment. */
export function isOfTheEnd({ claim }: Breach): boolean {
  return claim === 'termination' || claim === 'fairness' || claim === 'silence';
}

/** What is found broken while something happens; a node that throws is broken as well. */
export function thrownBy(happens: () => Breach | undefined): Breach | undefined {
  try {
    return happens();
  } catch (error) {
    if (error instanceof CheckFailed) return { claim: error.claim, what: error.message };
    return { claim: 'no-throw', what: String(error) };
  }
}
