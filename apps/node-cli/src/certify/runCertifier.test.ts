import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { openSignedLog, type SignedLogFile } from '@tutti/certificates/log';
import { MemoryNetwork, type Transport } from '@tutti/transports';
import { loadBls } from '@tutti/wasm-bls';
import { expect, it } from 'vitest';
import { freePorts } from '../../../../tests/freePorts.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { signalled } from '../cluster/untilEnded.ts';
import { insecureSecrets, registryEntry } from '../nodeKeys.ts';
import type { CheckedLog } from './memberFiles.ts';
import { approvals, approvedMessages, type CertifierPlan, runCertifier, startSteps } from './runCertifier.ts';

const bls = await loadBls();
const { at } = temporaryFiles();

/** Creates a plan for the only member of a registry, and observes the resources that the member opens. */
async function alone(of: Partial<CertifierPlan> = {}) {
  const folder = mkdtempSync(at('start-'));
  const secrets = insecureSecrets(bls, 4, 0);
  const entry = { transport: 'udp' as const, ...registryEntry(bls, secrets, { host: 'memory', port: 1 }) };
  const memory = new MemoryNetwork();
  const [port] = await freePorts(1);
  const transports: { readonly one: Transport; isClosed: boolean }[] = [];
  const openTransport = async () => {
    const one = memory.open({ port: 1 });
    const opened = { one, isClosed: false };
    const close = one.close.bind(one);
    one.close = () => {
      opened.isClosed = true;
      return close();
    };
    transports.push(opened);
    return one;
  };
  const signedLog = join(folder, 'key.signed');
  const plan: CertifierPlan = {
    ...{ bls, registry: { scheme: 'bls', entries: [entry] }, openTransport, names: [], token: undefined },
    identity: { index: 0, secrets: { ...secrets, publicKey: entry.publicKey } },
    ...{ http: { host: '127.0.0.1', port: port! }, form: 'tutti', approves: 'asked', needsHeight: false },
    ...{ beacon: undefined, signedLog, certificateFolder: join(folder, 'key.certificates') },
    ...of,
  };
  const lines: string[] = [];
  const end = new AbortController();
  const context = { err: (line: string) => lines.push(line), out() {}, progress: 'none', signal: end.signal } as const;
  /** Checks that a failed start, or a stopped member, has released all resources. */
  const expectFree = async (): Promise<void> => {
    for (const { isClosed } of transports) expect(isClosed).toBe(true);
    const server = createServer();
    await once(server.listen(port, '127.0.0.1'), 'listening');
    server.close();
    openSignedLog(signedLog).close();
  };
  return { plan, port, context, lines, end, expectFree, transports };
}

type Step = keyof typeof startSteps;

it.each<Step | 'openTransport'>(['openFolder', 'openTransport', 'openLog', 'join', 'metricsOf', 'listen'])(
  'a start that fails in the step %s reports the error of this step and releases all resources',
  async (step) => {
    const failure = new Error(`no ${step}`);
    const fail = () => {
      throw failure;
    };
    const { plan, context, lines, expectFree } = await alone(step === 'openTransport' ? { openTransport: fail } : {});
    const steps = step === 'openTransport' ? startSteps : { ...startSteps, [step]: fail };
    await expect(runCertifier(plan, context, steps)).rejects.toBe(failure);
    expect(lines).toEqual([]);
    await expectFree();
  },
);

it.each([0, 1])('a start whose line %i cannot be printed releases everything opened before', async (at) => {
  const { plan, context, expectFree, transports } = await alone();
  let printed = 0;
  const err = () => {
    if (printed++ === at) throw new Error('no room');
    return 0;
  };
  await expect(runCertifier(plan, { ...context, err })).rejects.toThrow('no room');
  expect(transports).toHaveLength(1);
  await expectFree();
});

it('an error in a step is reported before an error of closing the log', async () => {
  const { plan, context, transports } = await alone();
  const close = () => {
    throw new Error('no close');
  };
  const openLog = () => ({ record() {}, check() {}, close }) as CheckedLog as SignedLogFile;
  const steps = { ...startSteps, openLog, join: () => Promise.reject(new Error('no join')) };
  await expect(runCertifier(plan, context, steps)).rejects.toThrow('no join');
  expect(transports[0]!.isClosed).toBe(true);
});

it.each([
  [
    false,
    'tutti: a request without ?height=N has no protection against signing two messages for the same height; use --require-height to refuse such requests\n',
  ],
  [true, undefined],
])('a start with required heights (%s) prints what is not protected', async (needsHeight, line) => {
  const { plan, context, lines, end, expectFree } = await alone({ needsHeight });
  const err = (text: string) => {
    lines.push(text);
    if (text.includes('certificates at')) end.abort();
  };
  await runCertifier(plan, { ...context, err });
  const ready = expect.stringMatching(
    /^node 0 of 1: serving certificates at http:\/\/127\.0\.0\.1:\d+\/certificates\n$/,
  );
  expect(lines).toEqual(line === undefined ? [ready] : [line, ready]);
  await expectFree();
});

it('--approve all approves no succession, which requires a separate value', () => {
  expect(approvedMessages.map((one) => Object.keys(approvals(one, false)))).toEqual([
    [],
    ['approve'],
    ['approve', 'approveSuccession'],
  ]);
});

it.each([
  [false, undefined, true],
  [false, 9n, true],
  [true, undefined, false],
  [true, 9n, true],
])('with required heights (%s) a message of another member with the height %s is approved: %s', (needs, height, is) => {
  expect(approvals('all', needs).approve?.(new Uint8Array(1), 1, height)).toBe(is);
});

it('a member whose log cannot be written answers 503 to requests and for its health, until it can be written', async () => {
  const { plan, port, context, end } = await alone();
  const disk = { isFull: false };
  const write = () => {
    if (disk.isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  };
  const log: CheckedLog = { record: write, check: write, close() {} };
  const steps = { ...startSteps, openLog: () => log as SignedLogFile };
  const url = `http://127.0.0.1:${port}`;
  const ready = signalled();
  const err = (text: string) => {
    if (text.includes('certificates at')) ready.resolve();
  };
  const running = runCertifier(plan, { ...context, err }, steps);
  await ready.promise;
  const post = async (text: string) =>
    (await fetch(`${url}/certificates`, { method: 'POST', body: new TextEncoder().encode(text) })).status;
  const health = async () => (await fetch(`${url}/health`)).status;
  expect([await post('a'), await health()]).toEqual([200, 200]);
  disk.isFull = true;
  expect([await post('b'), await health()]).toEqual([503, 503]);
  expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: 'failed', code: 'signed-log-failed' });
  expect((await fetch(`${url}/alive`)).status).toBe(200);
  disk.isFull = false;
  expect([await health(), await post('b')]).toEqual([200, 200]);
  end.abort();
  await running;
});
