import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { build, type Rollup } from 'vite';
import { expect, it } from 'vitest';

const portable = ['index', 'rooms'];
const entry = '/portable.js';

/** Bundles the portable entry points into one script for a browser, with the global variable `tutti`. */
async function bundle(): Promise<Rollup.OutputChunk> {
  const outputs = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'portable',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) =>
          id === entry ? portable.map((name) => `export * from '${import.meta.dirname}/${name}.ts';`).join('\n') : null,
      },
    ],
    resolve: { conditions: ['tutti-source', 'module', 'browser'] },
    build: { write: false, minify: false, target: 'es2023', lib: { entry, formats: ['iife'], name: 'tutti' } },
  })) as Rollup.RollupOutput[];
  return outputs[0]!.output[0];
}

/** Script that sends a packet between two nodes over the memory network, and returns its content on arrival. */
const exchange = `(async () => {
  const { Channel, MemoryNetwork, networkKey, nobleCrypto: crypto, sessionId } = tutti;
  const keys = [networkKey(crypto), networkKey(crypto)];
  const session = sessionId(crypto, new Uint8Array(32), '1');
  const publicKeys = keys.map((key) => key.publicKey);
  const channels = keys.map(({ secret }, self) => new Channel({ crypto, session, self, secret, publicKeys }));
  const network = new MemoryNetwork();
  const transports = [network.open(), network.open()];
  const arrived = new Promise((resolve) => transports[1].onPacket(resolve));
  transports[0].send(transports[1].local, channels[0].seal(1, new TextEncoder().encode('from page to page')));
  const opened = channels[1].open(await arrived);
  return opened.ok ? new TextDecoder().decode(opened.payload) : opened.code;
})()`;

it('imports nothing from Node and runs with browser APIs only', async () => {
  const { code, modules } = await bundle();
  expect(Object.keys(modules).filter((id) => /browser-external|^node:/.test(id))).toEqual([]);
  expect(code).not.toMatch(/['"`]node:[a-z]/);
  const own = Object.keys(modules).filter((id) => id.startsWith(import.meta.dirname));
  expect(own.length).toBeGreaterThan(40);
  for (const id of own) {
    const text = readFileSync(id, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
    expect(text.match(/\b(?:Buffer|NodeJS)\b|(?<![.\w])process\./)?.[0], id).toBeUndefined();
  }

  const ports: MessagePort[] = [];
  class ClosableChannel extends MessageChannel {
    constructor() {
      super();
      ports.push(this.port1 as never);
    }
  }
  const page = createContext({
    ...{ crypto, performance, setTimeout, clearTimeout, TextDecoder, TextEncoder, URL },
    MessageChannel: ClosableChannel,
  });
  runInContext(code, page);
  expect(await runInContext(exchange, page)).toBe('from page to page');
  expect(ports).toHaveLength(1);
  for (const port of ports) port.close();
});
