import { expect, it } from 'vitest';
import { wrapMarkdown } from '../scripts/markdown.mjs';

const word = 'sesquipedalian';
const prose = Array.from({ length: 30 }, () => word).join(' ');

it('wraps paragraphs and list items at 120 columns, items with their indent, and loses no word', () => {
  const wrapped = wrapMarkdown(`${prose}\n\n- ${prose}\n- short\n`);
  const lines = wrapped.split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBe(119);
  expect(wrapped.split(/\s+/).filter((one) => one === word)).toHaveLength(60);
  expect(lines.slice(5, 8)).toEqual([
    expect.stringMatching(/^- s/),
    expect.stringMatching(/^ {2}s/),
    expect.anything(),
  ]);
  expect(wrapMarkdown(wrapped)).toBe(wrapped);
});

it('leaves tables, headings, code, HTML and short lines unchanged', () => {
  for (const text of [
    `| ${prose} |`,
    `# ${prose}`,
    `\`\`\`\n${prose}\n\`\`\``,
    `    ${prose}`,
    `<p>${prose}</p>`,
    `<!-- numbers\nrun = ${prose}\n-->`,
    'a\nb',
  ]) {
    expect(wrapMarkdown(text)).toBe(text);
  }
});

it('breaks no code, and begins no line with text that Markdown interprets differently', () => {
  const code = `\`${prose}\``;
  expect(wrapMarkdown(`${word} ${code} ${word}`)).toBe(`${word}\n${code}\n${word}`);
  const full = `${'x'.repeat(119)} - y`;
  expect(wrapMarkdown(`${full} ${prose}`).split('\n')[0]).toBe(`${'x'.repeat(119)} -`);
});
