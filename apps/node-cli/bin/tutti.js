#!/usr/bin/env node
const args = process.argv.slice(2);
let version;
// Asked for by scripts, often: nothing else is loaded for it.
if (args.length === 1 && args[0] === '--version') {
  const { bundledVersion } = await import('./built.js');
  version = bundledVersion();
}
if (version !== undefined) console.log(version);
else {
  const { built, isMisnamed } = await import('./built.js');
  const main = built();
  const why = main === undefined ? 'not built yet' : (await isMisnamed()) ? 'core was changed after it was built' : '';
  if (why !== '') {
    console.error(`tutti: ${why}; run 'npm run build' at the root of the project first`);
    process.exit(1);
  }
  const { run } = await import(main.href);
  process.exitCode = await run(args);
}
