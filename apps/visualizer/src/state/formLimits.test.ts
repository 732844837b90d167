import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { limits as figureLimits } from '../figure/figurePlan.ts';
import { slotLimits } from '../horn/slotChoice.ts';
import { seeds } from '../links/fields.ts';
import { limits } from './pageState.ts';

interface Limits {
  readonly min: number;
  readonly max: number;
}

const percent = ({ min, max }: Limits): Limits => ({ min: 100 * min, max: 100 * max });

/** Returns the inputs of a page by id or name, with the limits that the page's HTML states. */
function inputsOf(page: string): Map<string, Limits> {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
  const inputs = [...text.matchAll(/<input [^>]*>/g)].map(([tag]) => {
    const value = (name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
    return [value('id') || value('name'), { min: Number(value('min')), max: Number(value('max')) }] as const;
  });
  return new Map(inputs);
}

const { nodes: n, constantMs: constant, dead, byzantine, seed } = limits;
// The control of Horn's page shows the share of present validators.
const present = { min: 100 * (1 - slotLimits.dead.max), max: 100 * (1 - slotLimits.dead.min) };

it.each<[page: string, limits: Readonly<Record<string, Limits>>]>([
  ['run.html', { n, constant, dead: percent(dead), byzantine: percent(byzantine), seed }],
  ['horn.html', { present, byzantine: percent(slotLimits.byzantine), seed: slotLimits.seed }],
  ['lean.html', { seed: seeds }],
  ['figure.html', { n: figureLimits.nodes, seeds: figureLimits.seeds }],
])('an input of %s accepts the same values as its links', (page, expected) => {
  expect(Object.fromEntries(inputsOf(page))).toMatchObject(expected);
});
