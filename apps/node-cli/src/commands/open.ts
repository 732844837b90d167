import { spawn } from 'node:child_process';
import { checkScenario, encodeScenario, scenarioFields } from '@tutti/simulation';
import { Command } from 'commander';
import type { Context } from '../context.ts';
import { checkedFlags } from '../flags.ts';
import { pagePort } from '../live/pagePort.ts';
import { addScenarioFlags, readScenario } from '../scenarioFlags.ts';
import { UsageError } from '../usageError.ts';

interface OpenOptions {
  readonly page: string;
  readonly browser: boolean;
  readonly json?: boolean;
}

/** `tutti open`: the link that shows a run in the page, from the flags that run it in a terminal. */
export function openCommand(context: Context): Command {
  return addScenarioFlags(
    new Command('open').description(
      "Print the page's link to a run, given by simulate's flags, and open it in a browser.",
    ),
  )
    .option('--page <url>', "where the page is, such as tutti serve's", `http://localhost:${pagePort}/`)
    .option('--no-browser', 'only print the link')
    .option('--json', 'print one JSON document')
    .action((options: OpenOptions, command: Command) => {
      const scenario = readScenario(command);
      checkedFlags(scenarioFields, () => checkScenario(scenario));
      const page = pageAt(options.page);
      page.hash = new URLSearchParams(encodeScenario(scenario)).toString();
      context.out(options.json ? `${JSON.stringify({ link: page.href })}\n` : `${page.href}\n`);
      if (options.browser) openBrowser(page.href, context);
    });
}

function pageAt(address: string): URL {
  const page = URL.parse(address);
  if (page !== null && /^(https?|file):$/.test(page.protocol)) return page;
  throw new UsageError(`--page: expected an http, https or file address, got ${JSON.stringify(address)}`);
}

/**
 * The program, with its arguments, that opens an address as the person prefers. On Windows none that reads its command
 * line as `cmd` does, for which a link ends at its first `&` and the rest of it is a command.
 */
export function openerOf(platform: NodeJS.Platform, address: string): readonly [program: string, ...args: string[]] {
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  return [platform === 'darwin' ? 'open' : 'xdg-open', address];
}

function openBrowser(address: string, context: Context): void {
  const [program, ...args] = openerOf(process.platform, address);
  const browser = spawn(program, args, { detached: true, stdio: 'ignore' });
  browser.on('error', (error) => context.err(`No browser was opened (${error.message}); the link works in any.\n`));
  browser.unref();
}
