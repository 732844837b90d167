import { describe, expect, it } from 'vitest';
import { engineName, fastest, runs } from './arithmetic.ts';

describe('the arithmetic of a kernel', () => {
  it('is selected by the name of the engine', () => {
    expect(engineName({ v8: '11.3' }, undefined)).toBe('v8');
    expect(engineName({}, 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0')).toBe('v8');
    expect(engineName({}, 'Mozilla/5.0 (X11; Linux x86_64; rv:155.0) Gecko/20100101 Firefox/155.0')).toBe('other');
    expect(engineName({}, '')).toBe('other');
  });

  it('is supported by the engine, and scalar as last resort', async () => {
    expect(await runs('scalar')).toBe(true);
    for (const engine of ['v8', 'other'] as const) expect(await runs(await fastest(engine))).toBe(true);
    if (!(await runs('wide')) && !(await runs('simd'))) expect(await fastest('v8')).toBe('scalar');
    // Whatever an engine has, the other row has no wide arithmetic.
    expect(await fastest('other')).not.toBe('wide');
  });
});
