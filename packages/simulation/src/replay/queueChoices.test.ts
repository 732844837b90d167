import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { recordingOf } from '../../test/recordings.ts';
import { LineKind } from '../recording/recording.ts';
import { defaultScenario, type Scenario } from '../scenario/scenario.ts';
import { QueueReplay } from './queue.ts';

const scenario: fc.Arbitrary<Scenario> = fc
  .record({
    nodes: fc.integer({ min: 16, max: 32 }),
    seed: fc.nat(1000),
    branching: fc.constantFrom(2, 2, 4, 8),
    batch: fc.constantFrom(1, 1, 4, 16),
    backOff: fc.boolean(),
    window: fc.constantFrom('paper' as const, 'relative' as const),
    verifyMs: fc.constantFrom(4, 10, 20),
    attacks: fc.constantFrom(
      [],
      [{ name: 'invalid', share: 0.3 }] as const,
      [{ name: 'invalid', share: 0.4 }] as const,
      [{ name: 'worthless', share: 0.3 }] as const,
      [{ name: 'flood', share: 0.2 }] as const,
      [{ name: 'mixed', share: 0.3 }] as const,
      [
        { name: 'equivocate', share: 0.2 },
        { name: 'invalid', share: 0.2 },
      ] as const,
    ),
    without: fc
      .constantFrom(
        undefined,
        undefined,
        'rank-growth' as const,
        'capped-window' as const,
        'rank-between-levels' as const,
      )
      .map((mechanism) => (mechanism === undefined ? [] : [mechanism])),
  })
  .map((chosen) => ({ ...defaultScenario, ...chosen }));

/** Returns an honest node's checks and the growth of the node's In_l, taken from the recording. */
function checksOf(run: Scenario, pick: number) {
  const recording = recordingOf(run, { sends: false, setsUpTo: 0 });
  const { length, kind, node, level, peer, value, timeUs, untilUs, world } = recording;
  const honest = [...world.role.keys()].filter((id) => world.role[id] === 1);
  const me = honest[pick % honest.length]!;
  const lines = Array.from({ length }, (_, line) => line).filter((line) => node[line] === me);
  const checks = lines
    .filter((line) => kind[line] === LineKind.check)
    .map((line) => ({
      atUs: timeUs[line]!,
      untilUs: untilUs[line]!,
      level: level[line]!,
      sender: peer[line]!,
      valid: value[line]! > 0,
    }));
  const heldUntil = (of: number, until: (us: number) => boolean) =>
    lines.reduce(
      (held, line) =>
        kind[line] === LineKind.improve && level[line] === of && until(timeUs[line]!) ? value[line]! : held,
      0,
    );
  return { me, checks, heldUntil };
}

it('selects the same contribution as core, with its level and rule, and adds the verdict', () => {
  const seen = { choices: 0, byRank: 0, ties: 0, batches: 0, invalid: 0, aside: 0 };
  fc.assert(
    fc.property(scenario, fc.nat(1000), (run, pick) => {
      const { me, checks, heldUntil } = checksOf(run, pick);
      const replay = new QueueReplay(run, me);
      const starts = [...new Set(checks.map((check) => check.atUs))];
      const every = Math.ceil(starts.length / 20);
      for (const atUs of starts.filter((_, place) => place % every === 0)) {
        const queue = replay.at(atUs)!;
        const { choice, checking } = queue;
        // The check began and ended at the same time, so nothing is being verified.
        if (choice === undefined) continue;
        seen.choices++;
        const chosen = checking.map(({ level, sender, isIndividual }) => ({ level, sender, isIndividual }));
        expect(choice.next).toMatchObject(chosen);
        const [first] = choice.next;
        const { best, ties, counted, lastRank, entries } = choice.levels[first!.level - 1]!;
        expect([best!.sender, best!.adds]).toEqual([first!.sender, first!.adds]);
        // The paper's rule: the best score among the useful entries in the window, then the best rank.
        const useful = entries.filter(({ adds }) => adds > 0);
        expect(lastRank).toBe(useful[0]!.rank + counted - 1);
        const inWindow = useful.filter(({ rank }) => rank <= lastRank);
        const most = Math.max(...inWindow.map(({ adds }) => adds));
        expect(best).toBe(inWindow.find(({ adds }) => adds === most));
        expect(ties.map(({ sender }) => sender)).toEqual(
          inWindow.filter((one) => one !== best && one.adds === most).map(({ sender }) => sender),
        );
        const shares = choice.levels.map((level) => (level.best?.adds ?? 0) / level.size);
        if (choice.rule === 'share')
          expect(shares[first!.level - 1]).toBe(Math.max(...shares.filter((one) => one > 0)));
        else {
          const turns = choice.levels.map(({ turn }) => turn).filter((turn) => turn >= 0);
          expect(choice.levels[first!.level - 1]!.turn).toBe(Math.min(...turns));
          expect(choice.levels.some((level) => level.isDistrusted && level.best !== undefined)).toBe(true);
        }
        seen.byRank += Number(choice.rule === 'rank');
        seen.ties += Number(ties.length > 0);
        seen.batches += Number(checking.length > 1);
        seen.aside += queue.levels.filter(({ items }) => items.some(({ place }) => place === 'aside')).length;
      }
      const endUs = Math.max(0, ...checks.map(({ untilUs }) => untilUs));
      for (const verdict of replay.at(endUs)?.verdicts ?? []) {
        const check = checks.find(
          (one) => one.untilUs === verdict.timeUs && one.level === verdict.level && one.sender === verdict.sender,
        );
        expect(check, `a check that ended at ${verdict.timeUs}`).toBeDefined();
        expect(verdict.valid).toBe(check!.valid);
        const before = heldUntil(verdict.level, (us) => us < verdict.timeUs);
        expect(verdict.adds).toBe(heldUntil(verdict.level, (us) => us <= verdict.timeUs) - before);
        seen.invalid += Number(!verdict.valid);
      }
    }),
    { numRuns: isWhole ? 100 : 40 },
  );
  expect(seen.choices).toBeGreaterThan(isWhole ? 1000 : 300);
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(10);
});
