import { spawn } from 'node:child_process';
import { encodeScenario, type Scenario, scenarioFields, validateScenario } from '@tutti/simulation';
import { Command } from 'commander';
import { answer, type Context, Interrupted, UsageError, warn } from '../context.ts';
import {
  badValue,
  type FlagsOf,
  flag,
  forceFlag,
  jsonFlag,
  unless,
  validatedFlags,
  withFlags,
  words,
} from '../flags.ts';
import { pagePort } from '../live/builtPage.ts';
import { writeSinglePage, writeSlotPage } from '../live/singlePage.ts';
import { isFileNetwork } from '../networkFile.ts';
import { isStandardOutput, requirePlace } from '../output/files.ts';
import { counted } from '../output/text.ts';
import { addScenarioFlags, givenScenarioFlag, readLink, readScenario } from '../scenarioFlags.ts';

const ownFlags = {
  page: flag(
    '<url>',
    'address of the page, such as the address that tutti serve prints',
    words,
    `http://localhost:${pagePort}/`,
  ),
  link: flag('<url>', 'take the run from a link to the page', words),
  singleFile: flag(
    '<file>',
    'write a self-contained page that plays the run to this file; - for standard output',
    words,
  ),
  caption: flag('<text>', 'caption below the run (default: a sentence about the run)', words),
  force: forceFlag,
  browser: unless('print the link without opening it'),
  json: jsonFlag,
};

interface OpenOptions extends FlagsOf<typeof ownFlags> {
  readonly all?: boolean;
}

export function openCommand(context: Context): Command {
  const command = new Command('open').description(
    "Print a link to a run on the page and open the link in a browser, or write the run as a single HTML file. The flags of 'tutti simulate' or a link define the run.",
  );
  return withFlags(addScenarioFlags(command), ownFlags).action(async (options: OpenOptions) => {
    if (options.all) throw new UsageError('--all: valid only with --help');
    const other = options.link === undefined ? undefined : givenScenarioFlag(command);
    if (other !== undefined)
      throw new UsageError(`${other}: cannot be combined with --link, which defines the whole run`);
    const slot = leanHash(options.link);
    if (slot !== undefined) return openSlot(slot, options, context);
    const scenario =
      options.link === undefined
        ? await readScenario(command, undefined, options.singleFile !== undefined)
        : await readLink(options.link);
    validatedFlags(scenarioFields, () => validateScenario(scenario));
    if (options.singleFile !== undefined) return writeSingle(scenario, options.singleFile, options, context);
    if (isFileNetwork(scenario.network))
      throw badValue(
        '--network',
        'a network with a name, or --single-file, because a link cannot contain a file',
        scenario.network,
      );
    const page = pageAt(options.page);
    page.hash = new URLSearchParams(encodeScenario(scenario)).toString();
    await giveLink(page, options, context);
  });
}

/** Prints the link, and opens it in a browser unless the user has declined. */
async function giveLink(page: URL, options: OpenOptions, context: Context): Promise<void> {
  if (options.caption !== undefined) throw new UsageError('--caption: valid only with --single-file');
  answer(context, options.json, { link: page.href }, `${page.href}\n`);
  if (isThisMachine(page)) warn(await wrongServer(page));
  if (options.browser) openBrowser(page.href, context);
}

const isThisMachine = ({ hostname }: URL): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);

/** Returns a warning if no server responds at an address, or if the response is not a page of Tutti. */
async function wrongServer(page: URL): Promise<string | undefined> {
  const got = await fetch(page, { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
  if (got === undefined) return `${page.origin}: expected 'tutti serve', got no answer; start it, or use --page`;
  if (/<title>[^<]*Tutti/i.test(await got.text().catch(() => ''))) return undefined;
  return `${page.origin}: expected 'tutti serve', got another server; use --page with its address`;
}

/** Returns the fragment of a link to the page of post-quantum aggregation; undefined for any other link. */
function leanHash(link = ''): string | undefined {
  return /^(?:[^#]*\/)?lean\.html#(.*)$/s.exec(link)?.[1];
}

/** Opens a link to a slot on the page of post-quantum aggregation, or writes the slot as a single HTML file. */
async function openSlot(hash: string, options: OpenOptions, context: Context): Promise<void> {
  if (options.singleFile === undefined) {
    const page = new URL('lean.html', pageAt(options.page));
    page.hash = hash;
    await giveLink(page, options, context);
    return;
  }
  requirePlace(options.singleFile, options.force);
  sayWritten(options.singleFile, writeSlotPage(options.singleFile, hash, options.caption), options, context);
}

function sayWritten(path: string, bytes: number, { json }: OpenOptions, context: Context): void {
  if (isStandardOutput(path)) return;
  answer(context, json, { file: path, bytes }, `${path}: ${counted(bytes, 'byte')}\n`);
}

async function writeSingle(scenario: Scenario, path: string, options: OpenOptions, context: Context): Promise<void> {
  requirePlace(path, options.force);
  const look = new URLSearchParams(options.link?.split('#')[1] ?? '');
  const node = Number(look.get('node') ?? 0);
  const atUs = Math.round(Number(look.get('t') ?? Number.NaN) * 1000);
  const bytes = await writeSinglePage(path, scenario, {
    node: Number.isInteger(node) && node >= 0 && node < scenario.nodes ? node : 0,
    atUs: Number.isFinite(atUs) && atUs >= 0 ? atUs : undefined,
    caption: options.caption,
    stopIfAsked: () => {
      if (context.signal.aborted) throw new Interrupted();
    },
  });
  sayWritten(path, bytes, options, context);
}

function pageAt(address: string): URL {
  const page = URL.parse(address);
  if (page !== null && /^(https?|file):$/.test(page.protocol)) return page;
  throw new UsageError(`--page: expected an http, https or file address, got ${JSON.stringify(address)}`);
}

/**
 * Returns the program, with its arguments, that opens an address in the user's preferred browser. On Windows, the
 * program must not parse its command line as `cmd` does: `cmd` would end a link at the first `&` and run the rest as a
 * command.
 */
export function openerOf(platform: NodeJS.Platform, address: string): readonly [program: string, ...args: string[]] {
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  return [platform === 'darwin' ? 'open' : 'xdg-open', address];
}

function openBrowser(address: string, context: Context): void {
  const [program, ...args] = openerOf(process.platform, address);
  const browser = spawn(program, args, { detached: true, stdio: 'ignore' });
  browser.on('error', (error) =>
    context.err(`No browser was opened (${error.message}); the link works in any browser.\n`),
  );
  browser.unref();
}
