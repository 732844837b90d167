import type { Case, Question } from './corpus.mjs';

export interface Program {
  readonly name: string;
  readonly language: 'go' | 'cargo';
  readonly forms: readonly string[];
  readonly binary: string;
}

export const programs: readonly Program[];
export function built(program: Program): string | undefined;
export function verdictsOf(program: Program, lines: readonly string[]): string[];
export function verdictOf(said: string): string;
export const avalancheWords: Readonly<Record<string, RegExp>>;
export function recorded(): { corpus: string; accepted: Record<string, string[]> };
export function digestOf(questions: readonly Question[]): string;
export function contractVerdict(
  one: Case,
  variant: 'min-pk' | 'min-sig',
  viaIR?: boolean,
): Promise<'accepted' | 'refused'>;
export function sszVerdict(one: Case):
  | {
      readonly ours: string;
      readonly roots?: { readonly theirs: readonly string[]; readonly ours: readonly string[] };
      readonly verdicts: readonly string[];
    }
  | undefined;
