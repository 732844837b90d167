import { defaultScenario, type QueuePlace, QueueReplay, type VerificationQueue } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { csvText } from '../files.ts';
import { pieces } from '../guide/explanation.ts';
import { isSenderChecked, queueNumbers, why, whyThisOne } from './queueText.ts';

it('has a line for each entry of the queue, each with the same number of columns', () => {
  const chosen = { nodes: 32, verifyMs: 20, attacks: [{ name: 'invalid', share: 0.4 }] } as const;
  const replay = new QueueReplay({ ...defaultScenario, ...chosen }, 1);
  let most = 0;
  for (let at = 0; at < 600_000; at += 30_000) {
    const queue = replay.at(at)!;
    const [columns, ...lines] = [...queueNumbers(queue)];
    const waiting = queue.levels.flatMap(({ level, items }) => items.map(({ sender }) => `${level} ${sender}`));
    const checked = queue.checking.map(({ level, sender }) => `${level} ${sender}`);
    expect(lines.map(([level, , , , , sender]) => `${level} ${sender}`).sort()).toEqual(
      [...waiting, ...checked].sort(),
    );
    for (const line of lines) expect(line).toHaveLength(columns!.length);
    expect(csvText(lines)).not.toMatch(/undefined|NaN|Infinity/);
    most = Math.max(most, lines.length);
  }
  expect(most).toBeGreaterThan(5);
});

const chosen = { nodes: 64, verifyMs: 20, window: 'paper', attacks: [{ name: 'invalid', share: 0.4 }] } as const;
const replay = new QueueReplay({ ...defaultScenario, ...chosen }, 1);
const queues: readonly VerificationQueue[] = Array.from({ length: 200 }, (_, step) => replay.at(step * 5_000)!);

it('why explains the position of every entry of a run under attack in defined terms', () => {
  const said = new Map<QueuePlace, string>();
  for (const queue of queues)
    for (const level of queue.levels)
      for (const item of level.items) {
        const words = why(item, level, queue);
        expect(() => pieces(words)).not.toThrow();
        expect(words).toContain(`Node ${item.sender}’s`);
        said.set(item.place, words);
      }
  expect(said.get('window')).toContain('in the [[window]]');
  expect(said.get('waits')).toMatch(/has rank \d+, and the \[\[window\]\] of \d+.* ends at rank \d+/);
  expect(said.get('aside')).toContain('in reserve');
  expect(said.get('aside')).not.toMatch(/^Node \d+’s individual contribution .*prun/);
  expect(said.get('pruned') ?? 'pruned').toContain('pruned');
});

it('why marks one entry of a level as next, and one of the whole queue, which core would select', () => {
  let shown = 0;
  for (const queue of queues) {
    const words = queue.levels.flatMap((level) =>
      level.items.map((item) => ({ level: level.level, sender: item.sender, words: why(item, level, queue) })),
    );
    for (const { level } of queue.levels)
      expect(words.filter((one) => one.level === level && /next\b/.test(one.words)).length).toBeLessThan(2);
    const next = words.filter((one) => one.words.endsWith(', so this one goes next.'));
    const [first] = queue.next.next;
    // While a contribution of a sender is being verified, no other contribution of that sender is named as next.
    const isNamed = first !== undefined && !isSenderChecked(first, first, queue);
    expect(next.map(({ level, sender }) => [level, sender])).toEqual(isNamed ? [[first.level, first.sender]] : []);
    shown += next.length;
  }
  expect(shown).toBeGreaterThan(50);
});

it('whyThisOne explains each kind of choice: no alternative, a greater share, equal shares, or turns by rank', () => {
  const calm = new QueueReplay({ ...defaultScenario, nodes: 32, verifyMs: 20 }, 1);
  const calmQueues = Array.from({ length: 100 }, (_, step) => calm.at(step * 5_000)!);
  const answers = [...calmQueues, ...queues].map(whyThisOne).filter((words) => words !== '');
  const kinds = [/^Only level \d/, /The greater share goes first/, /are equal, so the lower level goes first/];
  expect(kinds.filter((kind) => !answers.some((words) => kind.test(words)))).toEqual([]);
  const byRank = queues.filter(({ choice }) => choice?.rule === 'rank').map(whyThisOne);
  expect(byRank.length).toBeGreaterThan(0);
  const cause = /^Levels? [\d, and]+ received invalid contributions, so the node orders levels by rank|^Only level/;
  expect(byRank.filter((words) => !cause.test(words))).toEqual([]);
});

it('whyThisOne, by rank, names the lowest estimate rounded down with every level in the tie, and the tie-break that decides', () => {
  const seen = new Set<string>();
  for (const queue of queues) {
    const { choice, span } = queue;
    const ready = choice?.levels.filter(({ best }) => best !== undefined) ?? [];
    if (choice?.rule !== 'rank' || ready.length < 2) continue;
    const chosen = choice.next[0]!.level;
    const estimated = ready.map(({ level, best, size }) => ({
      level,
      before: Math.floor((best!.rank * size) / span),
      share: best!.adds / size,
      claim: `${best!.adds} of ${size}`,
    }));
    const least = Math.min(...estimated.map(({ before }) => before));
    const tied = estimated.filter(({ before }) => before === least);
    const greatest = Math.max(...tied.map(({ share }) => share));
    const equal = tied.filter(({ share }) => share === greatest);
    expect(equal[0]!.level, 'the lower level').toBe(chosen);
    const names = (some: typeof tied) =>
      `level${some.length === 1 ? '' : 's'} ${some.map(({ level }) => level).join(', ')}`.replace(/, (\d)$/, ' and $1');
    const words = whyThisOne(queue);
    expect(words).toContain(`with a better rank, rounded down, is ${least} on ${names(tied)}`);
    const kind = tied.length === 1 ? 'no tie' : equal.length === 1 ? 'share' : 'level';
    const claims = equal.map(({ claim }) => claim).join(', ');
    if (kind === 'no tie') expect(words).not.toContain('Of these levels');
    else if (kind === 'share') expect(words).toContain(`level ${chosen} claims the greatest share: ${claims}.`);
    else
      expect(words).toContain(`${names(equal)} claim the greatest share (${claims}), so the lower level goes first.`);
    seen.add(kind);
  }
  expect([...seen].sort()).toEqual(['level', 'no tie', 'share']);
});
