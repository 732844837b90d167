import { expect, test } from 'vitest';
import { UsageError } from './context.ts';
import { progressForm } from './main.ts';

test('is a line of a terminal, lines of a log, or the value of TUTTI_PROGRESS', () => {
  expect([progressForm(true, {}), progressForm(false, {})]).toEqual(['line', 'log']);
  expect(progressForm(true, { TUTTI_PROGRESS: '' })).toBe('line');
  for (const form of ['line', 'log', 'none']) expect(progressForm(true, { TUTTI_PROGRESS: form })).toBe(form);
});

test('refuses another form in one line', () => {
  const line = 'TUTTI_PROGRESS: expected line, log or none, got "loud"';
  expect(() => progressForm(false, { TUTTI_PROGRESS: 'loud' })).toThrow(new UsageError(line));
});
