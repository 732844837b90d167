import { readdirSync } from 'node:fs';
import { defaultClientConditions, defineConfig } from 'vite';

/** Cross-origin isolation: what a page needs before a browser gives it shared memory, and harmless before that. */
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

export default defineConfig({
  // The built page works from any folder of any server.
  base: './',
  resolve: { conditions: ['tutti-source', ...defaultClientConditions] },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    // Every page beside this file.
    rolldownOptions: { input: readdirSync(import.meta.dirname).filter((name) => name.endsWith('.html')) },
  },
  worker: { format: 'es' },
  server: { headers: isolation },
  preview: { headers: isolation },
});
