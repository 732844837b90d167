#!/usr/bin/env node
const args = process.argv.slice(2);
/** Scripts and users often request these texts, so no other code is loaded for them. */
const prepared = { '-V': 'version', '--version': 'version', '-h': 'help', '--help': 'help', help: 'help' };
let text;
if (args.length === 1 && Object.hasOwn(prepared, args[0])) {
  const { bundledText } = await import('./built.js');
  text = bundledText(prepared[args[0]]);
}
if (text !== undefined) {
  process.stdout.on('error', ({ code }) => {
    if (code === 'EPIPE') process.exit(0);
    console.error(`tutti: standard output cannot be written (${code})`);
    process.exit(1);
  });
  process.stdout.write(text);
} else {
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
