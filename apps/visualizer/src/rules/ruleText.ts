import { count } from '../formatNumber.ts';
import type { Conclusion } from '../page.ts';
import { changedRules, type EditedRules, type LevelOrder, type ScoreRule, unedited } from './editedRules.ts';

/** Names of the orders between levels. */
export const orderWords: Readonly<Record<LevelOrder, string>> = {
  share: 'greatest share of the level',
  gain: 'most signatures',
  rank: 'best rank',
  lowest: 'lowest level',
  highest: 'highest level',
};

/** Names of the scores of an aggregate. */
export const scoreWords: Readonly<Record<ScoreRule, string>> = {
  result: 'signatures of the level afterwards',
  claim: 'signatures of the aggregate',
  any: 'equal for all useful contributions',
};

/** Describes the value of each rule. */
export function valueWords({ expansion, contraction, order, score }: EditedRules): Record<keyof EditedRules, string> {
  return {
    expansion: `expansion ×${expansion}`,
    contraction: `contraction ÷${contraction}`,
    order: `first: ${orderWords[order]}`,
    score: `score: ${scoreWords[score]}`,
  };
}

/** Describes changed rules, as the name of a run; empty if none is changed. */
export function ruleWords(edited: EditedRules): string {
  const words = valueWords(edited);
  return changedRules(edited)
    .map((name) => words[name])
    .join(', ');
}

/** Result of a run, as far as a conclusion about its rules needs it. */
export interface RuleOutcome {
  readonly digest: string;
  readonly live: number;
  readonly reached: number;
  /** Time at which the last node reached the threshold, ms; 0 if none did. */
  readonly lastMs: number;
  /** Mean number of verified contributions per live node. */
  readonly checked: number;
  /** Mean number of invalid contributions among them. */
  readonly checkedInvalid: number;
  /** First claim of the paper that the checkers found violated; undefined if there is none. */
  readonly broken: { readonly claim: string; readonly atUs: number } | undefined;
}

/** Effect that a changed rule is expected to have. */
interface Expectation {
  readonly words: string;
  readonly unit: string;
  readonly of: (outcome: RuleOutcome) => number;
  /** Sign of the expected difference. */
  readonly sign: 1 | -1;
}

const checks = { unit: 'checks', of: ({ checked }: RuleOutcome) => checked } as const;

function expectationOf(rule: keyof EditedRules, edited: EditedRules): Expectation {
  switch (rule) {
    case 'expansion': {
      const isFaster = edited.expansion > unedited.expansion;
      const words = `A window that grows ${isFaster ? 'faster should need fewer' : 'more slowly should need more'} checks.`;
      return { words, ...checks, sign: isFaster ? -1 : 1 };
    }
    case 'contraction': {
      const isLess = edited.contraction < unedited.contraction;
      return {
        words: `A window that shrinks ${isLess ? 'less' : 'more'} should let a node verify ${isLess ? 'more' : 'fewer'} invalid contributions.`,
        unit: 'invalid contributions',
        of: ({ checkedInvalid }) => checkedInvalid,
        sign: isLess ? 1 : -1,
      };
    }
    case 'order':
      return { words: 'Another order between levels should need more checks.', ...checks, sign: 1 };
    case 'score':
      return { words: 'Another score should need more checks.', ...checks, sign: 1 };
  }
}

/**
 * Returns the conclusion about changed rules from two runs of the same scenario: whether the expected effect occurred.
 *
 * @param whole result with Handel's rules.
 * @param other result with the changed rules.
 */
export function ruleConclusion(edited: EditedRules, whole: RuleOutcome, other: RuleOutcome): Conclusion {
  const changed = changedRules(edited);
  const facts = [factOf('Handel’s rules', whole), factOf(ruleWords(edited), other)];
  const [rule] = changed;
  if (rule === undefined) return { said: '', facts: [] };
  // Several changes have no single expected effect.
  const { words, unit, of, sign } = changed.length === 1 ? expectationOf(rule, edited) : several;
  const [before, after] = [of(whole), of(other)].map((value) => Number(value.toFixed(1))) as [number, number];
  const holds = sign * (after - before) > 0;
  const verdict = sign === 0 ? '' : `In this run, this is ${holds ? 'true' : 'not true'}: `;
  const both =
    whole.digest === other.digest
      ? 'both runs have identical events'
      : `${after.toFixed(1)} ${unit} per node${before === after ? ', as before' : ` instead of ${before.toFixed(1)}`}; ${endWords(whole, other)}`;
  const broken =
    other.broken === undefined ? '' : ` The changed run violates a claim of the paper: ${other.broken.claim}.`;
  return { said: `${words} ${capital(`${verdict}${both}`)}.${broken}`, facts };
}

const several = { words: 'Several rules are changed.', ...checks, sign: 0 } as const;

function endWords(whole: RuleOutcome, other: RuleOutcome): string {
  const missing = ({ live, reached }: RuleOutcome) => live - reached;
  if (missing(other) > 0)
    return `${count(missing(other))} of ${count(other.live)} nodes never finish (with Handel’s rules: ${missing(whole) === 0 ? 'none' : count(missing(whole))})`;
  if (missing(whole) > 0) return `all nodes finish (with Handel’s rules, ${count(missing(whole))} nodes never finish)`;
  const ms = (value: number) => `${count(value)} ms`;
  const [before, after] = [Math.round(whole.lastMs), Math.round(other.lastMs)];
  return before === after
    ? `the last node finishes after ${ms(after)}, as before`
    : `the last node finishes after ${ms(after)} instead of ${count(before)}`;
}

function factOf(name: string, { live, reached, lastMs, checked, checkedInvalid, broken }: RuleOutcome): string {
  const end = `${count(reached)} of ${count(live)} nodes finish, the last after ${count(Math.round(lastMs))} ms`;
  const claims =
    broken === undefined
      ? 'all claims of the paper hold'
      : `violated at ${(broken.atUs / 1000).toFixed(1)} ms: ${broken.claim}`;
  return `${name}: ${end}; ${checked.toFixed(1)} checks per node, including ${checkedInvalid.toFixed(1)} of invalid contributions; ${claims}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
