import { spawn } from 'node:child_process';
import { checkScenario, encodeScenario } from '@tutti/core/simulation';
import { Command } from 'commander';
import type { Context } from '../context.ts';
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
    new Command('open').description("Print the link to a run, which takes simulate's flags, and open it in a browser."),
  )
    .option('--page <address>', "where the page is, such as npm start's", 'http://localhost:4173/')
    .option('--no-browser', 'only print the link')
    .option('--json', 'print one JSON document')
    .action((options: OpenOptions, command: Command) => {
      const scenario = readScenario(command);
      try {
        checkScenario(scenario);
      } catch (error) {
        throw error instanceof RangeError ? new UsageError(error.message) : error;
      }
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

/** What opens an address with the program that the person prefers. */
const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', '""'],
};

function openBrowser(address: string, context: Context): void {
  const [program, ...before] = openers[process.platform] ?? ['xdg-open'];
  const browser = spawn(program!, [...before, address], { detached: true, stdio: 'ignore' });
  browser.on('error', (error) => context.err(`No browser was opened (${error.message}); the link works in any.\n`));
  browser.unref();
}
