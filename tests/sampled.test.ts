import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

async function at(env: Record<string, string>) {
  vi.stubEnv('CI', '');
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  vi.resetModules();
  return import('./sampled.ts');
}

const cases = ['a', 'b', 'c', 'd', 'e'];

it('selects all in CI, and elsewhere the requested number, which depends on the seed and includes each item for some seed', async () => {
  const whole = await at({ CI: '1' });
  expect(whole.sampled(cases, 2)).toEqual(cases);
  expect(whole.strided(4)).toEqual({ first: 1, step: 1 });
  const seen = new Set<string>();
  for (let seed = 0; seed < 5; seed++) {
    const { sampled, strided } = await at({ TUTTI_FC_SEED: `${seed}` });
    const drawn = sampled(cases, 2);
    expect(drawn).toHaveLength(2);
    expect([...drawn].sort()).toEqual(drawn);
    for (const one of drawn) seen.add(one);
    expect(sampled(cases, 9)).toEqual(cases);
    expect(strided(4)).toEqual({ first: 1 + (seed % 4), step: 4 });
  }
  expect(seen.size).toBe(5);
});
