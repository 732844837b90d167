/**
 * Small projects, each with this package from its tarball and one bundler from the registry, built with no
 * configuration for the kernel, and run in Node or in Chromium under a strict policy; by both doors, the one that
 * fetches the kernel and the one that has it inlined.
 *
 *     npm run loads:everywhere -w @tutti/wasm-bls -- [--only vite,webpack] [--dry]
 *
 * Prints the table, and writes docs/records/loading.md unless --dry or --only. Needs the registry of npm; minutes.
 * CHROMIUM_PATH is the browser, /usr/bin/chromium if it is not set. Ends with 1 if the inlined door fails anywhere;
 * a project that the registry does not give is named as not tried.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { wrapMarkdown } from '../../../../scripts/wrapMarkdown.mjs';

const packageFolder = fileURLToPath(new URL('../..', import.meta.url));
const repository = join(packageFolder, '..', '..');
const doors = { fetched: '@tutti/wasm-bls', inlined: '@tutti/wasm-bls/inline' };
const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};
/** Scripts of one's own, WebAssembly, and nothing else: no eval, no data: or blob: addresses. */
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'";
const perCommandMs = 240_000;

/** Signs and verifies; what comes of it is the answer. */
const use = (door) => `import { loadBls } from '${door}';
export async function answer() {
  const bls = await loadBls();
  const secret = bls.keyGen(new Uint8Array(32).fill(1));
  const message = new TextEncoder().encode('tutti');
  return bls.verify(bls.publicKey(secret), message, bls.sign(secret, message)) ? 'loaded' : 'wrong';
}
`;
const main = `import { answer } from './use.js';
answer().then((text) => { document.title = text; }, (error) => { document.title = 'failed: ' + error.message; });
`;
const workerMain = `const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }) => { document.title = data; };
worker.onerror = ({ message }) => { document.title = 'failed: ' + message; };
`;
const worker = `import { answer } from './use.js';
answer().then((text) => postMessage(text), (error) => postMessage('failed: ' + error.message));
`;
const page = (script) => `<!doctype html><title>waiting</title><script type="module" src="${script}"></script>`;

/** Each: what to install, files beside `use.js`, how to build, and where the page is. */
const projects = {
  vite: {
    install: ['vite'],
    files: { 'index.html': page('./main.js'), 'main.js': main },
    build: ['vite', 'build'],
    site: 'dist',
  },
  'vite, in a worker': {
    install: ['vite'],
    files: {
      'index.html': page('./main.js'),
      'main.js': workerMain,
      'worker.js': worker,
      'vite.config.js': "export default { worker: { format: 'es' } };\n",
    },
    build: ['vite', 'build'],
    site: 'dist',
  },
  webpack: {
    install: ['webpack', 'webpack-cli'],
    files: { 'main.js': main, 'dist/index.html': page('./main.js') },
    build: ['webpack', '--mode', 'production', '--entry', './main.js'],
    site: 'dist',
  },
  esbuild: {
    install: ['esbuild'],
    files: { 'main.js': main, 'dist/index.html': page('./main.js') },
    build: ['esbuild', 'main.js', '--bundle', '--splitting', '--format=esm', '--outdir=dist'],
    site: 'dist',
  },
  rollup: {
    install: ['rollup', '@rollup/plugin-node-resolve'],
    files: { 'main.js': main, 'dist/index.html': page('./main.js') },
    build: ['rollup', 'main.js', '-d', 'dist', '-f', 'es', '-p', '@rollup/plugin-node-resolve'],
    site: 'dist',
  },
  parcel: {
    install: ['parcel'],
    files: { 'index.html': page('./main.js'), 'main.js': main },
    build: ['parcel', 'build', 'index.html', '--public-url', './', '--no-cache'],
    site: 'dist',
    // Its pages have an import map in their text, which names the chunks.
    policy: undefined,
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
    build: ['next', 'build'],
    site: 'out',
    // Its pages have scripts of their own in the text.
    policy: undefined,
  },
  node: {
    install: [],
    files: { 'run.mjs': "import { answer } from './use.js';\nconsole.log(await answer());\n" },
    node: 'run.mjs',
  },
  'node, in a worker': {
    install: [],
    files: {
      'run.mjs':
        "import { Worker } from 'node:worker_threads';\nnew Worker(new URL('./worker.mjs', import.meta.url)).on('message', console.log);\n",
      'worker.mjs':
        "import { parentPort } from 'node:worker_threads';\nimport { answer } from './use.js';\nparentPort.postMessage(await answer());\n",
    },
    node: 'run.mjs',
  },
};

function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: perCommandMs });
  if (status !== 0)
    throw new Error(
      `${command} ${args[0]}: ${error?.message ?? (stderr || stdout).trim().split('\n').slice(-3).join(' ')}`,
    );
  return stdout;
}

async function serve(folder, header) {
  const server = createServer(({ url }, response) => {
    const path = normalize(decodeURIComponent(new URL(url, 'http://localhost').pathname));
    const file = path === '/' ? 'index.html' : path;
    try {
      const body = readFileSync(join(folder, file));
      const headers = { 'Content-Type': types[extname(file)] ?? 'text/plain' };
      if (header !== undefined) headers['Content-Security-Policy'] = header;
      response.writeHead(200, headers).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
}

async function titleOf(browser, folder, header) {
  const server = await serve(folder, header);
  const tab = await browser.newPage();
  try {
    await tab.goto(`http://127.0.0.1:${server.address().port}/`);
    await tab.waitForFunction(() => document.title === 'loaded' || /^(wrong|failed)/.test(document.title), undefined, {
      timeout: 30_000,
    });
    return await tab.title();
  } catch {
    return 'failed: no answer';
  } finally {
    await tab.close();
    server.close();
  }
}

/** A project with one door: built, and asked. */
async function outcome(browser, folder, project) {
  try {
    if (project.node !== undefined) return run('node', [project.node], folder).trim();
    run('npx', ['--no-install', ...project.build], folder);
    return await titleOf(browser, join(folder, project.site), 'policy' in project ? project.policy : policy);
  } catch (error) {
    return `failed: ${error.message}`;
  }
}

const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1].split(',') : undefined;
const work = mkdtempSync(join(tmpdir(), 'tutti-loads-'));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
const rows = [];
let failed = false;
try {
  const [{ filename }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', work], packageFolder));
  for (const [name, project] of Object.entries(projects)) {
    if (only !== undefined && !only.includes(name.split(',')[0])) continue;
    const folder = join(work, name.replaceAll(/\W+/g, '-'));
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "name": "loads", "private": true, "type": "module" }\n');
    let versions = process.version.slice(1);
    const answers = {};
    try {
      run(
        'npm',
        ['install', '--no-audit', '--no-fund', '--prefer-offline', join(work, filename), ...project.install],
        folder,
      );
      const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      if (project.install.length > 0) versions = dependencies[project.install[0]].replace(/^\^/, '');
      for (const [file, text] of Object.entries(project.files)) {
        mkdirSync(join(folder, file, '..'), { recursive: true });
        writeFileSync(join(folder, file), text);
      }
      for (const [door, address] of Object.entries(doors)) {
        writeFileSync(join(folder, 'use.js'), use(address));
        rmSync(join(folder, '.parcel-cache'), { recursive: true, force: true });
        answers[door] = await outcome(browser, folder, project);
      }
    } catch (error) {
      for (const door of Object.keys(doors)) answers[door] = `not tried: ${error.message}`;
    }
    if (answers.inlined !== 'loaded' && !answers.inlined.startsWith('not tried: ')) failed = true;
    rows.push([name, versions, answers]);
    console.log(`${name} ${versions}: fetched ${answers.fetched}; inlined ${answers.inlined}`);
  }
} finally {
  await browser.close();
  rmSync(work, { recursive: true, force: true });
}
const inWords = (answer) =>
  answer === 'loaded'
    ? 'loads'
    : answer
        .replaceAll('|', '\\|')
        .replaceAll(/http:\/\/127\.0\.0\.1:\d+|\s+/g, (found) => (found.trim() === '' ? ' ' : ''))
        .slice(0, 160);
const table = ['| | version | `@tutti/wasm-bls` | `@tutti/wasm-bls/inline` |', '|---|---|---|---|']
  .concat(
    rows.map(
      ([name, version, { fetched, inlined }]) => `| ${name} | ${version} | ${inWords(fetched)} | ${inWords(inlined)} |`,
    ),
  )
  .join('\n');
console.log(table);
if (only === undefined && !process.argv.includes('--dry'))
  writeFileSync(
    join(repository, 'docs', 'records', 'loading.md'),
    wrapMarkdown(`# Where the kernel loads by itself

Measured by \`npm run loads:everywhere -w @tutti/wasm-bls\`, which writes this page. Source: [\`run.mjs\`](../../packages/wasm-bls/test/bundlers/run.mjs); the doors: [loading](../loading.md).

Each project has the package from its tarball, one import, and no configuration for the kernel; it is built by the bundler's own command and run in Chromium ${browser.version()} under \`${policy}\` (the pages of Next have scripts in their text, those of Parcel an import map, and are served without).

${table}
`),
  );
process.exitCode = failed ? 1 : 0;
