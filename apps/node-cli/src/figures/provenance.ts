import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { version } from '@tutti/core';

/** Origin of figures, for citation. */
export interface Provenance {
  readonly version: string;
  /** Commit of a clone. An installed package has only its version. */
  readonly commit?: Commit;
}

export interface Commit {
  /** Hash, 40 hexadecimal digits. */
  readonly hash: string;
  /** Date of the commit, such as `2026-11-22`. */
  readonly date: string;
  /** True if the clone has changes that are not in this commit. */
  readonly isChanged: boolean;
}

/**
 * Reads the origin from git if this file's package is part of a repository. An installed package inside a repository's
 * folder does not count.
 */
export function provenance(): Provenance {
  const folder = fileURLToPath(new URL('../..', import.meta.url));
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    git('ls-files', '--error-unmatch', 'package.json');
    const [hash = '', date = ''] = git('log', '-1', '--format=%H %cs').split(' ');
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
    return { version, commit: { hash, date, isChanged } };
  } catch {
    return { version };
  }
}

/** Returns, for example, `Tutti 0.1.0, commit 405b1cc7d9 of 2026-11-22`. */
export function provenanceText({ version, commit }: Provenance): string {
  if (commit === undefined) return `Tutti ${version}`;
  return `Tutti ${version}, commit ${commitText(commit)}`;
}

/** Returns, for example, `405b1cc7d9 of 2026-11-22`. */
export function commitText({ hash, date, isChanged }: Commit): string {
  return `${hash.slice(0, 10)} of ${date}${isChanged ? ', with changes that are not in it' : ''}`;
}

/** Returns the citation of the figures and of their paper, for BibTeX. */
export function bibtex(from: Provenance): string {
  const { version, commit } = from;
  return `@software{tutti,
  title   = {{Tutti}},
  author  = {{The Tutti maintainers}},
  version = {${version}},${commit === undefined ? '' : `\n  year    = {${commit.date.slice(0, 4)}},\n  note    = {Commit ${commit.hash}}`}
}

@misc{handel,
  title         = {Handel: Practical Multi-Signature Aggregation for Large Byzantine Committees},
  author        = {B{\\'e}gassat, Olivier and Kolad, Blazej and Gailly, Nicolas and Liochon, Nicolas},
  year          = {2019},
  eprint        = {1906.05132},
  archiveprefix = {arXiv}
}
`;
}
