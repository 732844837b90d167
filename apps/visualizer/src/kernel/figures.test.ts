import { describe, expect, it } from 'vitest';
import { engineOf, type MeasuredEngine, ofHash, operations, toCsv, toHash } from './figures.ts';

const measured: MeasuredEngine = {
  engine: 'Firefox 155.0 on X11; relaxed SIMD',
  figures: { scalar: { sign: 1.25, verify: 3 }, noble: { verify: 32.5 } },
};

describe('figures of a browser', () => {
  it('come back from a link as they were', () => {
    expect(ofHash(toHash(measured))).toEqual(measured);
    expect(ofHash('#theme=dark')).toBeUndefined();
  });

  it('of a stranger are numbers of milliseconds, or left out', () => {
    expect(ofHash('#scalar=1,x,-3,Infinity,1e9,,2&engine=%3Cb%3E')).toEqual({
      engine: '<b>',
      figures: { scalar: { sign: 1, round: 2 } },
    });
  });

  it('are a line an operation as CSV', () => {
    const lines = toCsv(measured).split('\n');
    expect(lines.slice(0, 4)).toEqual([
      '# Firefox 155.0 on X11; relaxed SIMD',
      'operation,scalar_ms,simd_ms,wide_ms,noble_ms',
      'sign,1.2500,,,',
      'verify,3.0000,,,32.5000',
    ]);
    expect(lines).toHaveLength(Object.keys(operations).length + 3);
  });

  it('are under the name that the browser gives itself', () => {
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:155.0) Gecko/20100101 Firefox/155.0';
    expect(engineOf(firefox, ['relaxed SIMD'])).toBe('Firefox 155.0 on X11; relaxed SIMD');
    const safari =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0) AppleWebKit/605.1.15 Version/26.0 Mobile/15E148 Safari/604.1';
    expect(engineOf(safari, [])).toBe('Version 26.0 Mobile/15E148 Safari on iPhone; no SIMD');
  });
});
