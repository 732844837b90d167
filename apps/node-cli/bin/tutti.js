#!/usr/bin/env node
const args = process.argv.slice(2);
// Asked for by scripts, often: nothing is loaded for it.
if (args.length === 1 && args[0] === '--version') {
  const { readFileSync } = await import('node:fs');
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  console.log(version);
} else {
  const { built } = await import('./built.js');
  const main = built();
  if (main === undefined) {
    console.error("tutti: not built yet; run 'npm run build' at the root of the project first");
    process.exit(1);
  }
  const { run } = await import(main.href);
  process.exitCode = await run(args);
}
