import { ForwardingPort, type Port } from '@tutti/core';
import { expect, it, vi } from 'vitest';
import type { Attack } from '../attacks/attack.ts';
import { silent } from '../attacks/attacks.ts';
import { silence } from '../attacks/composer.ts';
import { matrixNetwork } from '../engine/network/matrixNetwork.ts';
import { createSimulation, simulate } from '../run/simulation.ts';
import { defaultScenario } from '../scenario/scenario.ts';
import { honestNodes } from './honest.ts';

const scenario = { ...defaultScenario, nodes: 32, seed: 5 };
const plain = simulate(scenario);

it('custom nodes: the protocol’s own nodes give the same digest, others a different one', () => {
  const made: number[] = [];
  const same = simulate(scenario, {
    nodes: (setting) => {
      const honest = honestNodes(setting);
      return (id, own, port) => {
        made.push(id);
        return honest(id, own, port);
      };
    },
  });
  expect(same.digest).toBe(plain.digest);
  expect(made).toEqual(Array.from({ length: 32 }, (_, id) => id));
  const mixed = simulate(scenario, {
    nodes: (setting) => {
      const honest = honestNodes(setting);
      return (id, own, port) => (id % 2 === 0 ? silence : honest(id, own, port));
    },
    giveUpAfterMs: 1000,
  });
  expect(mixed.keptInts.mean).toBeGreaterThan(0);
  expect(simulate(scenario, { nodes: () => () => silence, giveUpAfterMs: 1000 }).reached).toBe(0);
});

it('a wrapper around each honest node changes nothing if it forwards everything, and is checked', () => {
  const byzantine = { ...scenario, attacks: [{ name: 'silent', share: 0.25 }], threshold: 0.7 };
  const wrapped: number[] = [];
  const run = simulate(byzantine, {
    checkers: true,
    around: () => (id, port, make) => {
      wrapped.push(id);
      return make(new ForwardingPort(port));
    },
  });
  expect(run.digest).toBe(simulate(byzantine).digest);
  expect(wrapped).toHaveLength(24);
  expect(() => simulate(scenario, { around: () => () => ({}) as never })).toThrow(
    "options.around' node 0.start: expected a function, got undefined",
  );
});

it.each([0, 33])('a custom node cannot verify %i contributions together', (count) => {
  const nodes = () => (_id: number, own: number, port: Port) => ({
    ...silence,
    start: () => void port.verifyBatch!(Array(count).fill(own), Array(count).fill(1), Array(count).fill(0)),
  });
  expect(() => simulate(scenario, { nodes })).toThrow(
    `length of a batch: expected an integer from 1 to 32, got ${count}`,
  );
});

it('custom message lengths change the bytes and nothing else', () => {
  const seven = simulate(scenario, { messageBytes: () => () => 7 });
  expect(seven.bytesSent.mean).toBeCloseTo(7 * seven.messagesSent.mean, 9);
  expect(seven.digest).toBe(plain.digest);
});

it('a custom network works with checkers', () => {
  const network = matrixNetwork({ places: ['one'], oneWayMs: [[200]] }, 32, 1);
  const far = simulate(scenario, { network, checkers: true });
  expect(far.reached).toBe(32);
  expect(far.timeToThresholdMs.min).toBeGreaterThan(200);
  expect(() => simulate({ ...scenario, nodes: 16 }, { network })).toThrow(
    'options.network: expected the regions of 16 nodes, got 32',
  );
  expect(() => simulate(scenario, { network: { ...network, machine: new Int32Array(8) } })).toThrow(
    'options.network: expected the machines of 32 nodes, got 8',
  );
  expect(() => simulate(scenario, { network: { ...network, regionNames: undefined as never } })).toThrow(
    'options.network.regionNames: expected an array, got undefined',
  );
  for (const field of [{ deadBy: 'machine' }, { cpu: { ...scenario.cpu, startsApartMs: 1 } }] as const)
    expect(() => simulate({ ...scenario, ...field, network: 'aws-blocks' }, { network })).toThrow(
      'options.network: expected machines, because of deadBy or cpu.startsApartMs, got undefined',
    );
});

it('a custom attack runs together with those of the scenario', () => {
  const join = vi.fn(() => silence);
  const attack: Attack = { ...silent, name: 'mine', form: () => ({ join }) };
  const run = simulate(
    { ...scenario, attacks: [{ name: 'silent', share: 0.125 }], threshold: 0.7 },
    { attacks: [{ attack, share: 0.25 }], checkers: true },
  );
  expect(join).toHaveBeenCalledTimes(8);
  expect(run.live).toBe(32 - 8 - 4);
  expect(() => simulate(scenario, { attacks: Array(129).fill({ attack, share: 0 }) })).toThrow(
    'number of attacks: expected at most 128, got 129',
  );
  expect(run.reached).toBe(run.live);
});

it('a custom checker receives messages and outputs, and ends the run by throwing', () => {
  const outputs = new Set<number>();
  const run = simulate(scenario, { checker: { onOutput: (id) => outputs.add(id) } });
  expect(outputs.size).toBe(run.reached);
  const onMessage = (_from: number, to: number) => {
    if (to === 3) throw new Error('a message to node 3');
  };
  expect(() => simulate(scenario, { checker: { onMessage } })).toThrow('a message to node 3');
});

it('a custom checker has functions only', () => {
  for (const checker of [{ onOutput: 7 }, { onMessage: 7, onOutput() {} }])
    expect(() => createSimulation(scenario, { checker: checker as never })).toThrow(
      /^options\.checker\.on\w+: expected a function, got 7$/,
    );
});
