import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';

/** Command that starts Firefox on this machine: FIREFOX_PATH, or a Firefox on the PATH. */
export const firefoxCommand = [process.env.FIREFOX_PATH, 'firefox-esr', 'firefox'].find(
  (command) => command !== undefined && spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0,
);

const preferences = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.safebrowsing.update.enabled': false,
  // As in Chromium, without service workers, which would fetch every file of the build.
  'dom.serviceWorkers.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  // A single tab does not need spare processes.
  'dom.ipc.processPrelaunch.enabled': false,
  // Members of a room on one machine connect over the machine's own address.
  'media.peerconnection.ice.obfuscate_host_addresses': false,
  'media.peerconnection.ice.loopback': true,
};

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly level: string; readonly text: string };
  readonly result?: unknown;
  readonly message?: string;
}

/** A Firefox with one tab, controlled over WebDriver BiDi. Playwright supports only its own Firefox. */
export class Firefox {
  readonly errors: string[] = [];
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers>();
  readonly #close: () => void;
  #context = '';

  private constructor(socket: WebSocket, close: () => void) {
    this.#socket = socket;
    this.#close = close;
    socket.on('message', (data) => this.#hear(JSON.parse(String(data)) as Answer));
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Firefox ended'));
    });
  }

  static async start(command: string, window: { readonly width: number; readonly height: number }): Promise<Firefox> {
    const profile = mkdtempSync(join(tmpdir(), 'tutti-firefox-'));
    const lines = Object.entries(preferences).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
    );
    writeFileSync(join(profile, 'user.js'), lines.join(''));
    const child = spawn(command, ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'exit');
    const address = await new Promise<string>((found, failed) => {
      createInterface({ input: child.stderr }).on('line', (line) => {
        const said = /BiDi listening on (ws:\S+)/.exec(line)?.[1];
        if (said !== undefined) found(said);
      });
      child.once('exit', (code) => failed(new Error(`Firefox ended with status ${code} before it listened`)));
    });
    const socket = new WebSocket(`${address}/session`);
    await once(socket, 'open');
    const firefox = new Firefox(socket, () => {
      socket.close();
      child.kill('SIGKILL');
      void ended.then(() => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }));
    });
    await firefox.#send('session.new', { capabilities: {} });
    await firefox.#send('session.subscribe', { events: ['log.entryAdded'] });
    const { contexts } = await firefox.#send<{ contexts: { context: string }[] }>('browsingContext.getTree', {});
    firefox.#context = contexts[0]!.context;
    await firefox.#send('browsingContext.setViewport', { context: firefox.#context, viewport: window });
    return firefox;
  }

  close(): void {
    this.#close();
  }

  async goto(url: string): Promise<void> {
    await this.#send('browsingContext.navigate', { context: this.#context, url, wait: 'complete' });
  }

  /** @param expression expression in the page's script, whose value, or its promise's, becomes a string. */
  async evaluate(expression: string): Promise<string> {
    const { result, exceptionDetails } = await this.#send<{
      readonly result?: { readonly value?: string };
      readonly exceptionDetails?: { readonly text: string };
    }>('script.evaluate', {
      expression: `(async () => String(await (${expression})))()`,
      target: { context: this.#context },
      awaitPromise: true,
    });
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${exceptionDetails.text}`);
    return result?.value ?? '';
  }

  /** Returns the trimmed text of an element, or '' if it does not exist. */
  text(selector: string): Promise<string> {
    return this.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent.trim() ?? ''`);
  }

  #send<T>(method: string, params: object): Promise<T> {
    const id = this.#waiting.size + 1;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    }) as Promise<T>;
  }

  #hear({ id, method, params, result, message }: Answer): void {
    if (method === 'log.entryAdded' && params?.level === 'error') this.errors.push(params.text);
    const asked = id === undefined ? undefined : this.#waiting.get(id);
    if (result === undefined) asked?.reject(new Error(message));
    else asked?.resolve(result);
  }
}

interface PromiseWithResolvers {
  resolve(value: unknown): void;
  reject(error: Error): void;
}
