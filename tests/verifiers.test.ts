import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isWhole, sampled } from './sampled.ts';
import { cases, questions } from './verifiers/corpus.mjs';
import {
  avalancheWords,
  built,
  contractVerdict,
  digestOf,
  programs,
  recorded,
  sszVerdict,
  verdictOf,
  verdictsOf,
} from './verifiers/foreign.mjs';

const asked = questions();
const expected = ({ accepts, except }: (typeof cases)[number], form: string): string => except[form] ?? accepts;
const forms = ['tutti min-pk', 'tutti min-sig', 'avalanche'];

describe('the corpus of certificates', () => {
  it('has our verdict for each case in every format, and the reason if formats differ', () => {
    for (const form of forms)
      for (const one of asked) expect(one[form]!.ours, `${one.one.name}, ${form}`).toBe(expected(one.one, form));
    expect(cases.filter(({ except }) => Object.keys(except).length === 0).length).toBeGreaterThan(25);
  });

  it('is the corpus that the other verifiers checked', () => expect(digestOf(asked)).toBe(recorded().corpus));

  // In CI, the test builds the program. Outside CI, `npm run verifiers` builds the program.
  describe.each(programs)('before $name', (program) => {
    const notBuilt = existsSync(program.binary) ? undefined : `${program.name}: not built here`;
    const missing = isWhole ? built(program) : notBuilt;
    if (missing !== undefined) console.warn(missing);

    it.each(program.forms)('has its verdict, %s', (form) => {
      const accepted = new Set(recorded().accepted[form]);
      const lines = asked.map((one) => one[form]!.line);
      const stored = asked.map(({ one }) => (accepted.has(one.name) ? 'accepted' : 'refused'));
      const said = missing === undefined ? verdictsOf(program, lines) : stored;
      for (const [index, { one, [form]: question }] of asked.entries()) {
        expect(verdictOf(said[index]!), one.name).toBe(expected(one, form));
        if (missing === undefined && question?.code !== undefined)
          expect(said[index]).toMatch(avalancheWords[question.code]!);
      }
    });
  });

  // In CI, the contract is compiled with the options of its deployment. Outside CI, solc uses its fastest mode.
  it.each(sampled(['min-pk', 'min-sig'] as const, 1))("has the contract's verdict in an EVM, %s", async (variant) => {
    const form = `contract ${variant}`;
    const accepted = new Set(recorded().accepted[form]);
    for (const one of cases) expect(accepted.has(one.name), one.name).toBe(expected(one, form) === 'accepted');
    for (const one of sampled(cases, 3))
      expect(await contractVerdict(one, variant, isWhole), one.name).toBe(expected(one, form));
  });

  it("is decoded by Ethereum's library as encoded, with the same signers", () => {
    for (const one of cases) {
      const said = sszVerdict(one);
      if (said === undefined) continue;
      const { ours, roots, verdicts } = said;
      if (roots !== undefined) expect(roots.theirs, one.name).toEqual(roots.ours);
      for (const verdict of verdicts) if (verdict !== 'read') expect(verdict, one.name).toBe(ours);
      if (roots === undefined) expect(verdicts, one.name).toContain('refused');
    }
  });
});
