import { readdirSync, readFileSync } from 'node:fs';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { withShell } from './src/shell/shell.ts';

/** What every answer with the built page says: its policy, and the isolation that it needs before a browser gives it shared memory. */
const headers: Record<string, string> = JSON.parse(readFileSync(`${import.meta.dirname}/public/headers.json`, 'utf8'));
// While it is developed the page has scripts of the server's own inside of it.
const { 'Content-Security-Policy': _policy, ...developing } = headers;

/** The preview answers GET and HEAD with those headers, and nothing else. */
const guarded: Plugin = {
  name: 'guarded-preview',
  configurePreviewServer: ({ middlewares }) =>
    void middlewares.use((request, response, next) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      if (request.method === 'GET' || request.method === 'HEAD') return next();
      response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    }),
};

/** Puts the parts that all pages share into each of them. */
const shell: Plugin = {
  name: 'shell',
  transformIndexHtml: { order: 'pre', handler: withShell },
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
  plugins: [shell, guarded],
  server: { headers: developing },
});
