import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PlainRegistration, PlainRegistrations } from './plainRegistrations.ts';
import { Roll } from './roll.ts';

function rollOf(registrations: readonly PlainRegistration[], isTraced = true) {
  const scheme = new PlainRegistrations(8, isTraced);
  const roll = new Roll(scheme);
  const enrolments = registrations.map((one) => roll.enrol(scheme.registration(one)));
  return { scheme, roll, enrolments, accepted: roll.accepted.map((one) => scheme.name(one)) };
}

describe('the roll of registrations (v1.03 section 5.3)', () => {
  it('discards both registrations of a double, for any later ones, and names the author if traceable', () => {
    const three = [1, 2, 3].map((text) => ({ author: 5, text }));
    const traced = rollOf([{ author: 1, text: 9 }, ...three]);
    expect(traced.enrolments).toEqual(['accepted', 'accepted', 'double', 'known']);
    expect(traced.accepted).toEqual(['9/1/0/true']);
    expect(traced.roll.doubles.map(({ author }) => author)).toEqual([5]);
    expect([traced.roll.authors, traced.roll.names]).toEqual([2, ['9/1/0/true', 'excluded 5']]);
    expect(rollOf(three, false).roll.doubles.map(({ author }) => author)).toEqual([undefined]);
  });

  it('excludes the author of repeats, keeps two of them, and names the author after different content', () => {
    const repeats = [1, 0, 2].map((copy) => ({ author: 5, text: 1, copy }));
    const { scheme, roll, enrolments, accepted } = rollOf(repeats);
    expect([enrolments, accepted]).toEqual([['accepted', 'double', 'known'], []]);
    expect([roll.names, roll.doubles.map(({ author }) => author)]).toEqual([['excluded 5 1'], [undefined]]);
    expect(roll.isSettled(scheme.registration({ author: 5, text: 1, copy: 3 }))).toBe(true);
    const other = scheme.registration({ author: 5, text: 2 });
    expect(roll.isSettled(other)).toBe(false);
    expect(roll.enrol(other)).toBe('double');
    expect([roll.names, roll.doubles.map(({ author }) => author)]).toEqual([['excluded 5'], [5]]);
    expect(roll.registrationsOf('excluded 5').map((one) => scheme.name(one))).toEqual(['1/5/1/true', '2/5/0/true']);
  });

  it('without tracing, different content reveals no more of an author than repeats', () => {
    const { scheme, roll } = rollOf(
      [0, 1].map((copy) => ({ author: 5, text: 1, copy })),
      false,
    );
    expect(roll.isSettled(scheme.registration({ author: 5, text: 2 }))).toBe(true);
    expect([roll.enrol(scheme.registration({ author: 5, text: 2 })), roll.names]).toEqual(['known', ['excluded 5']]);
  });

  it('recognises a claim of an excluded author, and finds its registrations by name', () => {
    const { scheme, roll } = rollOf([
      { author: 5, text: 1 },
      { author: 5, text: 2 },
      { author: 6, text: 3 },
    ]);
    expect(roll.isSettled(scheme.registration({ author: 5, text: 4 }))).toBe(true);
    expect(roll.isSettled(scheme.registration({ author: 6, text: 4 }))).toBe(false);
    for (const name of ['1/5/0/true', '2/5/0/true', '3/6/0/true']) expect(roll.has(name)).toBe(true);
    expect([roll.has('4/5/0/true'), roll.registrationsOf('4/5/0/true')]).toEqual([false, []]);
  });

  it('accepts the same registrations, with the same names, in any order of arrival', () => {
    const registration = fc.record({ author: fc.nat(5), text: fc.nat(2), copy: fc.nat(1) });
    fc.assert(
      fc.property(
        fc.uniqueArray(registration, { selector: (one) => JSON.stringify(one) }),
        fc.infiniteStream(fc.nat()),
        (all, draws) => {
          const shuffled = [...all].map((one) => ({ one, at: draws.next().value })).sort((a, b) => a.at - b.at);
          const [first, second] = [rollOf(all), rollOf(shuffled.map(({ one }) => one))];
          expect(second.accepted).toEqual(first.accepted);
          expect(second.roll.names.toSorted()).toEqual(first.roll.names.toSorted());
          expect(new Set(second.roll.doubles.map(({ author }) => author))).toEqual(
            new Set(first.roll.doubles.map(({ author }) => author)),
          );
        },
      ),
    );
  });
});
