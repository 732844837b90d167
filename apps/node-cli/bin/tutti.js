#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
if (!existsSync(main)) {
  console.error("tutti: not built yet; run 'npm run build' at the root of the project first");
  process.exit(1);
}
const args = process.argv.slice(2);
// Asked for by scripts, often: nothing is loaded for it.
if (args.length === 1 && args[0] === '--version') {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  console.log(version);
} else {
  const { run } = await import(main.href);
  process.exitCode = await run(args);
}
