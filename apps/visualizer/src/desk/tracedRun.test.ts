import { lines, marks } from 'virtual:handel-text';
import { DeskReplay, defaultScenario, type Scenario, simulate } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { tracedRun } from './tracedRun.ts';

const scenario: Scenario = {
  ...{ ...defaultScenario, nodes: 64, verifyMs: 20, window: 'paper' },
  attacks: [{ name: 'invalid', share: 0.4 }],
};

/** The mark of a statement that is found by its text. @param of the function it is in. */
function markOf(of: string, text: string): number {
  const from = lines.findIndex((line) => line.includes(`function ${of}(`));
  const line = lines.findIndex((one, at) => at > from && one.includes(text));
  const found = marks.findIndex(([first, last, isTest]) => !isTest && first <= line && line <= last && first >= from);
  if (from < 0 || line < 0 || found < 0) throw new RangeError(`${of}: expected a statement "${text}", got none`);
  return found;
}

describe('a traced run', () => {
  it('is the same run, event by event', () => {
    for (const node of [1, 3, 17])
      expect(tracedRun(scenario, node).digest).toBe(simulate({ ...scenario, scheme: 'counting' }).digest);
  });

  it('for a hundred random decisions, the lines that ran are those whose branch the packed node says it took', () => {
    const verifies = markOf('verifyNext', 'ticket = port.verify(');
    const byShare = markOf('choose', 'return found.sort((a, b) => shareAdded(b)');
    const byRank = markOf('chooseUnderAttack', 'return found.sort((a, b) => peersBefore');
    const taken = markOf('takeValid', 'verifications.set(');
    const listed = markOf('blacklistSender', 'blacklist.add(sender)');
    const alive = [1, 3, 5, 17, 20, 33, 40, 50].filter((node) => new DeskReplay(scenario, node).at(0) !== undefined);
    let decisions = 0;
    const rules = new Set<string>();
    for (const node of alive) {
      const { events } = tracedRun(scenario, node);
      const replay = new DeskReplay(scenario, node);
      for (const [place, { timeUs, marks: ran, kind }] of events.entries()) {
        // Of events at one moment the packed node shows the state after the last.
        if (events[place + 1]?.timeUs === timeUs || events[place - 1]?.timeUs === timeUs) continue;
        const desk = replay.at(timeUs)!;
        if (ran.includes(verifies)) {
          expect(desk.choice).toBeDefined();
          const [chosen] = desk.choice!.next;
          expect(desk.checking[0]).toMatchObject({ level: chosen!.level, sender: chosen!.sender });
          expect([ran.includes(byShare), ran.includes(byRank)]).toEqual(
            desk.choice!.rule === 'rank' ? [false, true] : [true, false],
          );
          rules.add(desk.choice!.rule!);
          decisions++;
        }
        if (kind === 'verified') {
          const [last] = desk.verdicts;
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

  it('runs the lines of a function only where something calls it', () => {
    const { events } = tracedRun(scenario, 1);
    const kindsOf = (mark: number) => [
      ...new Set(events.filter(({ marks: ran }) => ran.includes(mark)).map(({ kind }) => kind)),
    ];
    expect(kindsOf(markOf('onMessage', 'heedFlag(level, from, flags)'))).toEqual(['message']);
    expect(kindsOf(markOf('endPeriod', 'lastPeriodEndUs = port.nowUs()'))).toEqual(['timer']);
    expect(kindsOf(markOf('onVerified', 'level.window = nextWindowSize'))).toEqual(['verified']);
  });
});
