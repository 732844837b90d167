/** Opens a built project in a page, as an extension or in Node, and returns the outcome. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';

const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};
const launched = {
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
};
/** Pattern of the package's message that the kernel's file is missing. */
const fellBack = /using the kernel that is embedded in the code instead$/m;
const isAnswer = () => document.title === 'loaded' || /^(wrong|failed)/.test(document.title);
const answerMs = 30_000;
/** Start of a table cell for a project that this machine cannot run. */
export const notTried = 'not tried: ';

export const launch = () => chromium.launch(launched);

/** Starts a server of a folder. Returns it, and the number of gzipped bytes that it has sent. */
async function serve(folder, policy, anyAddress) {
  const sent = { bytes: 0 };
  const server = createServer(({ url }, response) => {
    const path = normalize(decodeURIComponent(new URL(url, 'http://localhost').pathname));
    const headers = policy === null ? {} : { 'Content-Security-Policy': policy };
    const answer = (file) => {
      const body = readFileSync(join(folder, file));
      sent.bytes += gzipSync(body, { level: 9 }).length;
      response.writeHead(200, { ...headers, 'Content-Type': types[extname(file)] ?? 'text/plain' }).end(body);
    };
    try {
      answer(path === '/' ? 'index.html' : path);
    } catch {
      if (anyAddress) answer('index.html');
      else response.writeHead(404).end();
    }
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return { server, sent };
}

/** Returns the text that a page displays in a browser or context, and whether the kernel was in the code. */
async function saidAt(browser, address) {
  const tab = await browser.newPage();
  let inlined = false;
  tab.on('console', (line) => {
    inlined ||= fellBack.test(line.text());
  });
  try {
    await tab.goto(address);
    await tab.waitForFunction(isAnswer, undefined, { timeout: answerMs });
    return { said: await tab.title(), inlined };
  } catch {
    return { said: 'failed: no answer' };
  } finally {
    await tab.close();
  }
}

/** Opens a page. @returns its text, whether the kernel was in the code, and the size of the received data, kB. */
export async function inPage(browser, folder, policy, anyAddress) {
  const { server, sent } = await serve(folder, policy, anyAddress);
  try {
    const answer = await saidAt(browser, `http://127.0.0.1:${server.address().port}/`);
    return { ...answer, kB: sent.bytes / 1000 };
  } finally {
    server.close();
  }
}

/** Opens the page of a bundler's development server, which prints its address. */
export async function inDevelopment(browser, folder, script) {
  const server = spawn(process.execPath, script, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      const address = /http:\/\/\S+:\d+\//.exec(stripVTControlCharacters(line))?.[0];
      if (address !== undefined) return await saidAt(browser, address);
    }
    return { said: 'failed: the server ended' };
  } finally {
    server.kill();
  }
}

/** Returns a Chromium that can run extensions, which the headless shell cannot; undefined if none is installed. */
function withExtensions() {
  const given = launched.executablePath;
  return [given, '/usr/bin/chromium'].find((path) => !/headless[-_]shell/.test(path) && existsSync(path));
}

/** Runs an extension's page, or its service worker. */
export async function inExtension(folder, part) {
  const executablePath = withExtensions();
  if (executablePath === undefined) return { said: `${notTried}this Chromium runs no extensions` };
  const profile = mkdtempSync(join(tmpdir(), 'tutti-extension-'));
  const context = await chromium.launchPersistentContext(profile, {
    ...launched,
    executablePath,
    args: [...launched.args, '--headless=new', `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
    ignoreDefaultArgs: ['--disable-extensions'],
  });
  try {
    const [worker = await context.waitForEvent('serviceworker', { timeout: answerMs })] = context.serviceWorkers();
    if (part === 'page') return await saidAt(context, new URL('/index.html', worker.url()).href);
    let inlined = false;
    worker.on('console', (line) => {
      inlined ||= fellBack.test(line.text());
    });
    const until = Date.now() + answerMs;
    let said;
    while (said === undefined && Date.now() < until) said = await worker.evaluate(() => globalThis.title);
    return { said: said ?? 'failed: no answer', inlined };
  } catch (error) {
    return { said: `failed: ${error.message.split('\n')[0]}` };
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Runs a script in Node. */
export function inNode(folder, script) {
  const { stdout, stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
  return { said: stdout.trim() || `failed: ${stderr.trim().split('\n').at(-1)}`, inlined: fellBack.test(stderr) };
}
