/**
 * `npm run fresh-clone`: simulates the first use, on a clean clone of the last commit with empty npm and cargo caches:
 * runs `npm start` until the page answers, then `npm test`. `--no-rust` simulates a machine without a Rust toolchain.
 * `--start-only` omits `npm test`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { root } from './run.mjs';

const withoutRust = process.argv.includes('--no-rust');
const startOnly = process.argv.includes('--start-only');
const place = mkdtempSync(join(tmpdir(), 'tutti-fresh-'));
const clone = join(place, 'tutti');
execFileSync('git', ['clone', '--quiet', root, clone]);
const env = {
  ...process.env,
  npm_config_cache: join(place, 'npm-cache'),
  CARGO_HOME: join(place, 'cargo-home'),
  PORT: '4299',
};
if (withoutRust) env.PATH = pathWithout(/^(cargo|rustc|rustup|wasm-pack)/);

try {
  const began = Date.now();
  const server = spawn('npm', ['start'], { cwd: clone, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const address = await new Promise((resolve, reject) => {
    let said = '';
    server.stdout.on('data', (chunk) => {
      process.stdout.write(chunk);
      said += chunk;
      const found = /Tutti is at (\S+)/.exec(said);
      if (found) resolve(found[1]);
    });
    server.on('exit', (code) => reject(new Error(`npm start: expected an address, got exit code ${code}`)));
  });
  const page = await fetch(address)
    .then((answer) => answer.text())
    .finally(() => process.kill(-server.pid, 'SIGTERM'));
  if (!page.includes('<title>')) throw new Error(`${address}: expected a page, got ${page.slice(0, 80)}`);
  console.log(`\nnpm start: the page answered after ${((Date.now() - began) / 1000).toFixed(0)} s`);
  if (!startOnly) {
    execFileSync('npm', ['test'], { cwd: clone, env, stdio: 'inherit' });
    console.log(`\nnpm test: passed, ${((Date.now() - began) / 1000).toFixed(0)} s since the clone`);
  }
} finally {
  rmSync(place, { recursive: true, force: true });
}

/**
 * Returns a PATH without certain programs. Each folder that contains one of these programs is replaced with a folder of
 * links to the other programs.
 */
function pathWithout(programs) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder, index) => {
      let names = [];
      try {
        names = readdirSync(folder);
      } catch {
        return folder;
      }
      if (!names.some((name) => programs.test(name))) return folder;
      const links = join(place, `path-${index}`);
      mkdirSync(links);
      for (const name of names) if (!programs.test(name)) symlinkSync(join(folder, name), join(links, name));
      return links;
    })
    .join(delimiter);
}
