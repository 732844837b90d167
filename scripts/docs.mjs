/**
 * `npm run docs`: writes the pages of docs/, generated pages and the API of every entry point as a static site to
 * dist/docs, which `tutti serve` serves under docs/. `--out FOLDER` writes the site to another folder. `--check` makes
 * the script end with exit code 1 and the number of warnings if an entry point mentions a name that it does not export.
 * A broken link has the same effect even without `--check`. The sidebar has one group per folder of docs/.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { adaptPages, adaptTheme, removeSources, writeRedirects } from './docs/site.mjs';
import { siteApplication, unexportedNames } from './docs/typedoc.mjs';
import { root } from './run.mjs';

const { values } = parseArgs({
  options: { out: { type: 'string', default: join(root, 'dist/docs') }, check: { type: 'boolean', default: false } },
});
const out = resolve(values.out);
const app = await siteApplication(out);
const addresses = adaptPages(app);
let warnings = values.check ? await unexportedNames() : 0;

const project = await app.convert();
if (!project) process.exit(1);
await app.generateOutputs(project);
warnings += app.logger.warningCount + app.logger.errorCount;
writeRedirects(addresses, out);
adaptTheme(out);
removeSources(out);
if (warnings === 0) console.log(`The docs are in ${out}`);
else {
  console.error(`docs: expected no warnings, got ${warnings}; see above`);
  process.exitCode = 1;
}
