import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allCounted, counted, fourDigits, grouped } from './numbers.ts';

it('numbers are written in groups of three, with the requested digits', () => {
  expect([grouped(0), grouped(1234567), grouped(1234.5, 2), grouped(-1500)]).toEqual([
    '0',
    '1,234,567',
    '1,234.50',
    '-1,500',
  ]);
  expect([0.03456, 1.5, 99.996, 1234.5, 262144, 0.00012].map(fourDigits)).toEqual([
    '0.03456',
    '1.500',
    '100.00',
    '1,235',
    '262,144',
    '1.20e-4',
  ]);
});

it.each([
  [0, '0 nodes'],
  [1, '1 node'],
  [2048, '2,048 nodes'],
])('counted(%i)', (value, text) => {
  expect(counted(value, 'node')).toBe(text);
});

it('all of one is written as the only one', () => {
  expect([1, 64].map((value) => allCounted(value, 'node'))).toEqual(['The only node', 'All 64 nodes']);
});

it('counted accepts a custom plural', () => {
  expect([counted(1, 'process', 'processes'), counted(2, 'process', 'processes')]).toEqual([
    '1 process',
    '2 processes',
  ]);
});

it('counted writes every number before its noun', () => {
  const src = new URL('.', import.meta.url).pathname;
  const plural =
    /\$\{grouped\((?:[^,{}()]|\([^(){}]*\))+\)\} (?!ms\b|listens\b)[a-z]+s\b|[sy]\$\{\w+ === 1 \? ''|\$\{[\w.]+\} (?:nodes|runs|checks|members|keys|rounds)\b/;
  const found = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.ts$/.test(name))
    .flatMap((name) =>
      readFileSync(join(src, name), 'utf8')
        .split('\n')
        .filter((line) => plural.test(line))
        .map((line) => `${name}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});
