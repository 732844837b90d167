/** Small projects that use this package, with one import and no configuration for the kernel. */

/** Returns a module that signs and verifies, and returns the result. */
export const use = (args) => `import { loadBls } from '@tutti/wasm-bls';
export async function answer() {
  const bls = await loadBls(${args});
  const secret = bls.keyGen(new Uint8Array(32).fill(1));
  const message = new TextEncoder().encode('tutti');
  return bls.verify(bls.publicKey(secret), message, bls.sign(secret, message)) ? 'loaded' : 'wrong';
}
`;
const told = (tell) =>
  `import { answer } from './use.js';\nanswer().then((text) => ${tell('text')}, (error) => ${tell("'failed: ' + error.message")});\n`;
const main = told((text) => `{ document.title = ${text}; }`);
const worker = told((text) => `postMessage(${text})`);
const workerMain = `const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }) => { document.title = data; };
worker.onerror = ({ message }) => { document.title = 'failed: ' + message; };
`;
const page = (script, type = ' type="module"') =>
  `<!doctype html><title>waiting</title><body><script${type} src="${script}"></script>`;

/** Policy that permits the page's own scripts and WebAssembly, but no eval and no data: or blob: addresses. */
export const strict = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'";

/** Returns a project with one script, by default with a page that the bundler does not change. */
const bundled = (install, command, files = { 'main.js': main, 'dist/index.html': page('./main.js') }) => ({
  install,
  files,
  build: [command],
  site: 'dist',
});
const pageAsSource = { 'index.html': page('./main.js'), 'main.js': main };
const classic = { 'main.js': main, 'dist/index.html': page('./main.js', '') };
const vite = bundled(['vite'], ['vite', 'build'], pageAsSource);
const webpack = bundled(['webpack', 'webpack-cli'], 'webpack --mode production --entry ./main.js'.split(' '));
const esbuild = bundled(['esbuild'], 'esbuild main.js --bundle --splitting --format=esm --outdir=dist'.split(' '));
const resolving = '@rollup/plugin-node-resolve';
const rollup = bundled(['rollup', resolving], `rollup main.js -d dist -f es -p ${resolving}`.split(' '));
const extension = {
  install: ['esbuild'],
  files: {
    'main.js': main,
    'background.js': told((text) => `{ globalThis.title = ${text}; }`),
    'dist/index.html': page('./main.js'),
    'dist/manifest.json': JSON.stringify({
      manifest_version: 3,
      name: 'loads',
      version: '1',
      background: { service_worker: 'background.js', type: 'module' },
      content_security_policy: { extension_pages: "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'" },
    }),
  },
  // A service worker cannot import anything while it runs, so its script is one file.
  build: [esbuild.build[0], ['esbuild', 'background.js', '--bundle', '--format=esm', '--outdir=dist']],
  site: 'dist',
};

/**
 * Projects, each with the packages to install, the files next to `use.js`, the build command, and the page to open, the
 * script that Node runs, or a development server. `options` are those of `loadBls`; by default, both sources of the
 * kernel are tried. `policy` is the page's policy, by default {@link strict}; null means no policy.
 */
export const projects = {
  vite,
  'vite, development server': { ...vite, build: [], develop: ['node_modules/vite/bin/vite.js', '--port', '0'] },
  'vite, in a worker': {
    ...vite,
    files: {
      'index.html': page('./main.js'),
      'main.js': workerMain,
      'worker.js': worker,
      'vite.config.js': "export default { worker: { format: 'es' } };\n",
    },
  },
  webpack,
  'webpack, in a worker': { ...webpack, files: { ...webpack.files, 'main.js': workerMain, 'worker.js': worker } },
  esbuild,
  'esbuild, one classic script': {
    ...esbuild,
    files: classic,
    build: [['esbuild', 'main.js', '--bundle', '--minify', '--outfile=dist/main.js']],
  },
  'esbuild, for Node': {
    ...esbuild,
    files: { 'main.js': told((text) => `console.log(${text})`) },
    build: [['esbuild', 'main.js', '--bundle', '--platform=node', '--outfile=dist/main.cjs']],
    node: 'dist/main.cjs',
  },
  rollup,
  'rollup, one classic script': {
    ...rollup,
    files: classic,
    build: [`rollup main.js -o dist/main.js -f iife --inlineDynamicImports -p ${resolving}`.split(' ')],
  },
  parcel: {
    ...bundled(['parcel'], 'parcel build index.html --public-url ./ --no-cache'.split(' '), pageAsSource),
    // Pages of Parcel contain an inline import map, which names the chunks.
    policy: null,
  },
  next: {
    install: ['next', 'react', 'react-dom'],
    files: {
      'app/layout.js': 'export default ({ children }) => <html><body>{children}</body></html>;\n',
      'app/page.js': `'use client';
import { useEffect } from 'react';
import { answer } from '../use.js';
export default function Page() {
  useEffect(() => { answer().then((text) => { document.title = text; }, (error) => { document.title = 'failed: ' + error.message; }); }, []);
  return null;
}
`,
      'next.config.mjs': "export default { output: 'export', images: { unoptimized: true } };\n",
    },
    build: [['next', 'build']],
    site: 'out',
    // The pages of this bundler contain inline scripts.
    policy: null,
  },
  'extension, page': { ...extension, extension: 'page' },
  'extension, service worker': { ...extension, extension: 'worker' },
  'vite, fetching forbidden': { ...vite, policy: strict.replace("connect-src 'self'", "connect-src 'none'") },
  "vite, without 'wasm-unsafe-eval'": {
    ...vite,
    policy: strict.replace(" 'wasm-unsafe-eval'", ''),
    // Both calls end with an error of one line.
    forbidden: true,
  },
  "vite, without 'wasm-unsafe-eval', with `engine: 'noble'`": {
    ...vite,
    policy: strict.replace(" 'wasm-unsafe-eval'", ''),
    options: "{ engine: 'noble' }",
  },
  'rollup, server with one page for all addresses': { ...rollup, anyAddress: true },
  node: { install: [], files: { 'run.mjs': told((text) => `console.log(${text})`) }, build: [], node: 'run.mjs' },
  'node, in a worker': {
    install: [],
    files: {
      'run.mjs':
        "import { Worker } from 'node:worker_threads';\nnew Worker(new URL('./worker.mjs', import.meta.url)).on('message', console.log);\n",
      'worker.mjs':
        "import { parentPort } from 'node:worker_threads';\nimport { answer } from './use.js';\nparentPort.postMessage(await answer());\n",
    },
    build: [],
    node: 'run.mjs',
  },
};
