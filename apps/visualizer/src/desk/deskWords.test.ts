import { type DeskPlace, DeskReplay, defaultScenario } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { pieces } from '../guide/richText.ts';
import { stamp, why } from './deskWords.ts';

describe('why', () => {
  it('says of every item of a run under attack why it stands where it does, in words that explain themselves', () => {
    const chosen = { nodes: 64, verifyMs: 20, window: 'paper', attacks: [{ name: 'invalid', share: 0.4 }] } as const;
    const replay = new DeskReplay({ ...defaultScenario, ...chosen }, 1);
    const said = new Map<DeskPlace, string>();
    for (let at = 0; at < 800_000; at += 20_000)
      for (const level of replay.at(at)?.levels ?? [])
        for (const item of level.items) {
          const words = why(item, level);
          expect(() => pieces(words)).not.toThrow();
          expect(words).toContain(`Node ${item.sender}’s`);
          said.set(item.place, words);
        }
    expect(said.get('window')).toMatch(/window\]\]|reaches to/);
    expect(said.get('waits')).toMatch(/its rank is \d+, and the \[\[window\]\] of \d+ reaches only to rank \d+/);
    expect(said.get('useless')).toContain('adds nothing');
  });
});

describe('stamp', () => {
  const check = { level: 3, sender: 4, weight: 2, isIndividual: false, timeUs: 1, windowBefore: 16 };

  it('says what a check came to', () => {
    expect(stamp({ ...check, valid: true, adds: 2, windowAfter: 32 })).toBe('taken, adds 2');
    expect(stamp({ ...check, valid: true, adds: 0, windowAfter: 32 })).toBe('true, adds nothing');
    expect(stamp({ ...check, valid: false, adds: 0, windowAfter: 4 })).toBe('a lie: window 16 to 4');
  });
});
