import { lines, marks } from 'virtual:handel-text';
import { defaultScenario, QueueReplay, type Scenario, simulate } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { decisionAbout, type Fate, fateOfMark } from './codeLines.ts';
import { tracedRun } from './tracedRun.ts';

const scenario: Scenario = {
  ...{ ...defaultScenario, nodes: 64, verifyMs: 20, window: 'paper' },
  attacks: [{ name: 'invalid', share: 0.4 }],
};

/** Returns the mark of a statement that contains a text. @param of the function that contains the statement. */
function markOf(of: string, text: string): number {
  const from = lines.findIndex((line) => line.includes(`function ${of}(`));
  const line = lines.findIndex((one, at) => at > from && one.includes(text));
  const found = marks.findIndex(([first, last, isTest]) => !isTest && first <= line && line <= last && first >= from);
  if (from < 0 || line < 0 || found < 0) throw new RangeError(`${of}: expected a statement "${text}", got none`);
  return found;
}

it('a traced run is the same run, event by event', () => {
  for (const node of [1, 3, 17])
    expect(tracedRun(scenario, node).digest).toBe(simulate({ ...scenario, scheme: 'counting' }).digest);
});

it('for a hundred random decisions, the executed lines are those of the branch that the packed node reports', () => {
  const verifies = markOf('verifyNext', 'ticket = port.verify(');
  const byShare = markOf('choose', 'return found.sort((a, b) => shareAdded(b)');
  const byRank = markOf('chooseUnderAttack', 'return found.sort((a, b) => peersBefore');
  const taken = markOf('takeValid', 'verifications.set(');
  const listed = markOf('blacklistSender', 'blacklist.add(sender)');
  const alive = [1, 3, 5, 17, 20, 33, 40, 50].filter((node) => new QueueReplay(scenario, node).at(0) !== undefined);
  let decisions = 0;
  const rules = new Set<string>();
  for (const node of alive) {
    const { events } = tracedRun(scenario, node);
    const replay = new QueueReplay(scenario, node);
    for (const [place, { timeUs, marks: ran, kind }] of events.entries()) {
      // If several events occur at one moment, the packed node contains the state after the last event.
      if (events[place + 1]?.timeUs === timeUs || events[place - 1]?.timeUs === timeUs) continue;
      const queue = replay.at(timeUs)!;
      if (ran.includes(verifies)) {
        expect(queue.choice).toBeDefined();
        const [chosen] = queue.choice!.next;
        expect(queue.checking[0]).toMatchObject({ level: chosen!.level, sender: chosen!.sender });
        expect([ran.includes(byShare), ran.includes(byRank)]).toEqual(
          queue.choice!.rule === 'rank' ? [false, true] : [true, false],
        );
        rules.add(queue.choice!.rule!);
        decisions++;
      }
      if (kind === 'verified') {
        const [last] = queue.verdicts;
        expect(last!.timeUs).toBe(timeUs);
        expect([ran.includes(taken), ran.includes(listed)]).toEqual([last!.valid, !last!.valid]);
        rules.add(String(last!.valid));
        decisions++;
      }
    }
  }
  expect(decisions).toBeGreaterThan(100);
  expect([...rules].sort()).toEqual(['false', 'rank', 'share', 'true']);
});

it('a decision about a contribution equals the change of the packed node’s queue: queued, selected, removed, dropped', () => {
  const { events } = tracedRun(scenario, 1);
  const replay = new QueueReplay(scenario, 1);
  const seen = new Map<Fate, number>();
  for (const [place, { timeUs, decisions }] of events.entries()) {
    if (events[place + 1]?.timeUs === timeUs) continue;
    const queue = replay.at(timeUs)!;
    for (const about of decisions) {
      const found = decisionAbout(events, about, [fateOfMark.get(about.mark)!], timeUs)!;
      expect(found.place).toBe(place);
      expect(lines[found.line]).toMatch(
        /entryOf|keepHeavier|port\.verify|verifications\.set|\.delete\(sender\)|dormant\.set/,
      );
      seen.set(found.fate, (seen.get(found.fate) ?? 0) + 1);
      // If there are several decisions about a contribution, the queue shows the state after the last decision.
      const last = decisions.findLast(({ level, sender }) => level === about.level && sender === about.sender)!;
      if (last !== about) continue;
      const isAbout = (one: { readonly sender: number }) => one.sender === about.sender;
      const item = queue.levels.find(({ level }) => level === about.level)?.items.find(isAbout);
      const verdict = queue.verdicts.find((one) => isAbout(one) && one.level === about.level);
      if (found.fate === 'queued') expect(item?.place).toMatch(/window|waits|pruned|aside/);
      else if (found.fate === 'chosen') expect(queue.checking.find(isAbout)?.level).toBe(about.level);
      else if (found.fate === 'taken') expect(verdict).toMatchObject({ valid: true, timeUs });
      else expect(item?.place ?? 'dormant').toBe('dormant');
    }
  }
  expect([...seen.keys()].sort()).toEqual(['aside', 'chosen', 'dropped', 'queued', 'taken']);
});
