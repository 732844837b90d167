import { defaultScenario, type Scenario } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { sampled } from '../../../../tests/sampled.ts';
import { runBranch } from '../branches/branch.ts';
import { type RunOutcome, ruleConclusion, ruleWords } from '../branches/branchText.ts';
import { Fields } from '../links/fields.ts';
import { changedRules, type EditedRules, nodesWith, ruleFields, unedited } from './editedRules.ts';

const quiet: Scenario = { ...defaultScenario, nodes: 64 };
const slow: Scenario = { ...quiet, verifyMs: 20 };
const lying: Scenario = { ...slow, window: 'paper', attacks: [{ name: 'invalid', share: 0.4 }] };

const outcomes = new Map<string, RunOutcome>();

/** Returns the result of a run. Each run is simulated only once. */
function outcomeOf(scenario: Scenario, edited = unedited): RunOutcome {
  const key = JSON.stringify([scenario, edited]);
  const known = outcomes.get(key) ?? runBranch(scenario, 8000, edited);
  outcomes.set(key, known);
  return known;
}

/** All values that the form offers, one rule at a time. */
const singly = (['expansion', 'contraction', 'order', 'score'] as const).flatMap((name) => {
  const values = ruleFields[name].choices ?? [1, 4, 16];
  return values.map((value) => ({ ...unedited, [name]: value }) as EditedRules);
});

it('editable rules equal Handel’s by default: no function replaces any', () => expect(nodesWith(unedited)).toEqual({}));

it('editable rules are numbers of a range and names of a list; a link with another value is refused in one line', () => {
  const fields = new Fields(ruleFields);
  for (const edited of singly) expect(fields.read(fields.write(edited))).toEqual({ values: edited, notices: [] });
  const refused = 'expansion=0.5&contraction=x%3D%3E1&order=()%3D%3E0&score=constructor';
  const { values, notices } = fields.read(refused);
  expect(values).toEqual({ ...unedited, expansion: 1 });
  expect(notices).toEqual([
    'expansion: expected a number from 1 to 16, got "0.5"; 1 is used',
    'contraction: expected a number from 1 to 16, got "x=>1"; 4 is used',
    'order: expected share or gain or rank or lowest or highest, got "()=>0"; share is used',
    'score: expected result or claim or any, got "constructor"; result is used',
  ]);
});

it('editable rules are checked like Handel’s: a mechanism that is also switched off is detected', () => {
  const forgetful: Scenario = { ...lying, without: ['blacklist'] };
  expect(runBranch(forgetful, 1000, { ...unedited, order: 'lowest', score: 'any' }).broken?.claim).toBe('blacklist');
});

it('each value of an editable rule changes the run with two Byzantine nodes in five, and breaks no claim', () => {
  const changed = singly.filter((one) => changedRules(one).length > 0);
  for (const edited of sampled(changed, 4)) {
    const { digest, broken } = outcomeOf(lying, edited);
    expect(broken, ruleWords(edited)).toBeUndefined();
    expect(digest, ruleWords(edited)).not.toBe(outcomeOf(lying).digest);
  }
});

const mild: Scenario = { ...quiet, attacks: [{ name: 'invalid', share: 0.3 }] };
const fast: Scenario = { ...mild, verifyMs: 1 };

it.each<[Partial<EditedRules>, string, 'checked' | 'checkedInvalid', { does: Scenario; doesNot: Scenario }]>([
  [{ expansion: 1 }, 'grows more slowly, nodes should need more checks', 'checked', { does: lying, doesNot: quiet }],
  [{ expansion: 4 }, 'grows faster, nodes should need fewer checks', 'checked', { does: lying, doesNot: quiet }],
  [{ contraction: 1 }, 'more invalid contributions', 'checkedInvalid', { does: fast, doesNot: lying }],
  [{ order: 'highest' }, 'order of levels, nodes should need more checks', 'checked', { does: slow, doesNot: lying }],
  [{ score: 'any' }, 'score, nodes should need more checks', 'checked', { does: slow, doesNot: mild }],
])('the conclusion about a rule states its effect: %j', (changed, expected, measure, { does, doesNot }) => {
  for (const scenario of [does, doesNot]) {
    const verb = scenario === does ? 'is' : 'is not';
    const edited = { ...unedited, ...changed };
    const [before, after] = [outcomeOf(scenario), outcomeOf(scenario, edited)];
    const { said, facts } = ruleConclusion(edited, before, after);
    expect(said).toContain(`${expected}. This ${verb} the case in this run: `);
    expect(facts).toHaveLength(2);
    const [from, to] = [before, after].map((outcome) => outcome[measure].toFixed(1));
    if (from !== to)
      expect(said).toMatch(new RegExp(`: ${to} (checks|invalid contributions) per node instead of ${from};`));
    const [soonMs, lateMs] = [before, after].map(({ lastMs }) => Math.round(lastMs).toLocaleString('en'));
    if (soonMs !== lateMs) expect(said).toContain(`the last node finishes after ${lateMs} ms instead of ${soonMs}.`);
  }
});

const edited: EditedRules = { ...unedited, contraction: 16 };
const both: EditedRules = { ...edited, score: 'any' };

it('the conclusion about a changed rule states that both runs are the same if all decisions were equal, and no single effect of several changes', () => {
  expect(ruleConclusion(edited, outcomeOf(quiet), outcomeOf(quiet, edited)).said).toBe(
    'With a window that shrinks more, nodes should verify fewer invalid contributions. This is not the case in this run: both runs have identical events.',
  );
  expect(ruleConclusion(both, outcomeOf(lying), outcomeOf(lying, edited)).said).toMatch(
    /^Several rules have been changed\. [\d.]+ checks/,
  );
  expect(ruleWords(both)).toBe('contraction ÷16, score: equal for all useful contributions');
  expect(ruleConclusion(unedited, outcomeOf(quiet), outcomeOf(quiet)).said).toBe('');
});

it('the conclusion about a changed rule names nodes that never finish, and a violated claim', () => {
  const stuck = { ...outcomeOf(lying, edited), reached: 30, broken: { claim: 'termination', atUs: 4e6 } };
  const { said, facts } = ruleConclusion(edited, outcomeOf(lying), stuck);
  expect(said).toMatch(
    /; 9 of 39 nodes never finish \(with Handel’s rules: none\)\. The changed run violates .*: termination\.$/,
  );
  expect(facts[1]).toContain('violated at 4000.0 ms: termination');
});
