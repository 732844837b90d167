import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyScenario } from '../../test/anyScenario.ts';
import { decodeScenario, encodeScenario, linkedScenario } from './scenarioLink.ts';

const decode = (link: string) => decodeScenario(new URLSearchParams(link), ['node', 't']);

it('decodeScenario decodes the output of encodeScenario', () => {
  fc.assert(
    fc.property(anyScenario({ nodes: 4096 }), (scenario) => {
      expect(decode(new URLSearchParams(encodeScenario(scenario)).toString())).toEqual({ scenario, notices: [] });
    }),
  );
});

it('decodeScenario returns the page’s first run for an empty link', () => {
  expect(decode('')).toEqual({ scenario: linkedScenario, notices: [] });
});

it('decodeScenario removes fields of earlier versions, and reports it', () => {
  const { scenario, notices } = decode('adaptive=on&contacts=proportion&reference-quirk=one-round');
  expect(notices).toEqual([
    'adaptive: unknown name; ignored',
    'contacts: unknown name; ignored',
    'reference-quirk: unknown name; ignored',
  ]);
  expect(scenario).toEqual(linkedScenario);
});

it('decodeScenario: still decodes the links from before all fields had names', () => {
  const { scenario, notices } = decode(
    'n=100&scheme=counting&network=constant:50&dead=0.2&seed=7&attack=invalid:0.3&node=5&t=3.5',
  );
  expect(notices).toEqual([]);
  expect(scenario).toEqual({
    ...linkedScenario,
    nodes: 100,
    scheme: 'counting',
    network: 'constant:50',
    dead: 0.2,
    seed: 7,
    attacks: [{ name: 'invalid', share: 0.3 }],
  });
});

it.each([
  [
    'protocol=gossips',
    'protocol: expected handel or complete-graph or san-fermin or gossip, got "gossips" (Did you mean gossip?); handel is used',
  ],
  ['n=1e9', 'n: expected an integer from 1 to 1048576, got "1e9"; 64 is used'],
  ['seed=1&seed=2', 'seed: expected one value, got several; the first one is used'],
  ['n=abc&n=32', 'n: expected an integer from 1 to 1048576, got "abc"; 64 is used'],
  ['sed=1', 'sed: unknown name; ignored'],
  [
    'dead=0.6&attack=silent:0.5',
    'dead and Byzantine shares together: expected under 1, got 1.1; the run has no attacks, no faults, and no dead or absent nodes instead',
  ],
  [
    'n=8&threshold=9',
    "threshold: expected a share, or a count of at most 8, got 9; the run is the page's first run instead",
  ],
])('decodeScenario: %s: reports the ignored and the accepted parts', (link, notice) => {
  expect(decode(link).notices).toEqual([notice]);
});
