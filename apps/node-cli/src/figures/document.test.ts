import { expect, it } from 'vitest';
import { bibtex, provenanceText } from './document.ts';

const commit = { hash: '405b1cc7d9'.repeat(4), date: '2026-11-22', isChanged: false };

it('names the commit of a clone, and only the version of an installed package', () => {
  expect(provenanceText({ version: '0.1.0', commit })).toBe('Tutti 0.1.0, commit 405b1cc7d9 of 2026-11-22');
  expect(provenanceText({ version: '0.1.0', commit: { ...commit, isChanged: true } })).toMatch(/, with changes that/);
  expect(provenanceText({ version: '0.1.0' })).toBe('Tutti 0.1.0');
});

it('cites the program and the paper', () => {
  const cited = bibtex({ version: '0.1.0', commit });
  expect(cited).toContain(`note    = {Commit ${commit.hash}}`);
  expect(cited).toContain('{1906.05132}');
  for (const text of [cited, bibtex({ version: '0.1.0' })]) {
    expect(text.match(/{/g)).toHaveLength(text.match(/}/g)!.length);
    expect(text).not.toContain('undefined');
  }
});
