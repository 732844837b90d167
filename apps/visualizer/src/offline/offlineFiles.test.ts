import { describe, expect, it } from 'vitest';
import { offlineFiles } from './offlineFiles.ts';

describe('offlineFiles', () => {
  it('are what pages fetch, by ways that hold in any folder', () => {
    const built = ['index.html', 'index.html.gz', 'run.html', 'sw.js', 'headers.json', 'first.js', 'assets/a-1.js'];
    built.push('card.png', 'assets/tutti_bls_upstream_bg-1.wasm');
    expect(offlineFiles(built)).toEqual(['./assets/a-1.js', './first.js', './', './run.html']);
  });
});
