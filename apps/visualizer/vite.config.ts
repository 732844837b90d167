import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join, normalize } from 'node:path';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { writeGlue } from '../../packages/wasm-bls/scripts/kernel-glue.mjs';
import { writeCodeName } from '../../scripts/compile.mjs';
import { embed, savedPage } from './embed.ts';
import { offline } from './offline.ts';
import { extensionPageNames, extensionPages, redirects } from './pages.ts';
import { checkedPieces, pieceName, pieces } from './pieces.ts';
import { sheetsInOrder, withShell } from './src/shell/shell.ts';
import { handelSource } from './traced.ts';

/**
 * Response headers for the built page: the content security policy, and the isolation that browsers require for shared
 * memory.
 */
const headers: Record<string, string> = JSON.parse(readFileSync(`${import.meta.dirname}/public/headers.json`, 'utf8'));
// During development, the server adds its own inline scripts, which the content security policy would block.
const { 'Content-Security-Policy': _policy, ...developing } = headers;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html;charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Returns the path of a requested file. The address of a folder means its `index.html`. */
function pathOf(url: string): string {
  return normalize(new URL(url, 'http://page').pathname).replace(/\/$/, '/index.html');
}

/** Returns the compressed copy of a requested built file, or undefined if there is none or the browser refuses it. */
function compressed(url: string, accepts: string | undefined): { file: string; type: string } | undefined {
  if (!accepts?.includes('gzip')) return undefined;
  const path = pathOf(url);
  const type = types[extname(path)];
  const file = join(import.meta.dirname, 'dist', `${path}.gz`);
  return type !== undefined && existsSync(file) ? { file, type } : undefined;
}

/**
 * Returns the path of a requested file of the docs, which `npm run docs` builds, or undefined for any other request.
 */
function docsFile(url: string): string | undefined {
  const path = pathOf(url);
  return path.startsWith('/docs/') ? join(import.meta.dirname, '../../dist', path) : undefined;
}

/** Makes the preview server send the headers and compressed files, and accept only GET and HEAD requests. */
const guarded: Plugin = {
  name: 'guarded-preview',
  configurePreviewServer: ({ middlewares }) =>
    void middlewares.use((request, response, next) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
      const docs = docsFile(request.url ?? '/');
      if (docs !== undefined) {
        const isThere = extname(docs) !== '' && existsSync(docs);
        response.writeHead(isThere ? 200 : 404, {
          'Content-Type': isThere ? (types[extname(docs)] ?? '') : 'text/plain',
        });
        return void response.end(isThere ? readFileSync(docs) : 'not found; npm run docs builds the docs\n');
      }
      const found = compressed(request.url ?? '/', request.headers['accept-encoding']);
      if (found === undefined) return next();
      const body = readFileSync(found.file);
      response.setHeader('Content-Encoding', 'gzip').setHeader('Content-Length', body.length);
      response.setHeader('Content-Type', found.type).setHeader('Vary', 'Accept-Encoding');
      response.end(request.method === 'HEAD' ? undefined : body);
    }),
};

/** Inserts the HTML that all pages share into each page. */
const shell: Plugin = {
  name: 'shell',
  transformIndexHtml: { order: 'pre', handler: (html) => withShell(html, process.env.TUTTI_PAGE_ADDRESS) },
};

/** Puts the style sheets of each page in their cascade order. */
const sheets: Plugin = {
  name: 'sheets',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { filename }) => sheetsInOrder(html, basename(filename, '.html')),
  },
};

// The pages are built from source files, which import generated files.
writeCodeName();
writeGlue();

export default defineConfig({
  // The built page works in any folder of any web server.
  base: './',
  resolve: {
    conditions: ['tutti-source', ...defaultClientConditions],
    // The pages load the kernel from files next to them. Inlining the kernel would add a second copy.
    alias: [{ find: /^\.\/(?:inlined|native)\.ts$/, replacement: `${import.meta.dirname}/src/worker/engines.ts` }],
  },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    // The inputs are all pages in this folder, and the pages of extensions.
    rolldownOptions: {
      checks: { bundlerTimings: false, pluginTimings: false },
      input: [...readdirSync(import.meta.dirname).filter((name) => name.endsWith('.html')), ...extensionPageNames],
      output: {
        codeSplitting: { groups: pieces },
        chunkFileNames: ({ name }) => `assets/${pieceName(name)}-[hash].js`,
        assetFileNames: ({ names }) => `assets/${pieceName(names[0] ?? 'piece')}-[hash][extname]`,
      },
    },
  },
  worker: {
    format: 'es',
    plugins: () => [handelSource],
    // Each worker is one file, so an import that the kernel makes later loads nothing later here.
    rolldownOptions: { checks: { ineffectiveDynamicImport: false } },
  },
  plugins: [handelSource, extensionPages, shell, sheets, checkedPieces, guarded, savedPage, embed, redirects, offline],
  server: { headers: developing },
});
