import { memberKeys } from '@tutti/certificates';
import { EnvironmentError } from '@tutti/core/input';
import { defaultScenario } from '@tutti/simulation';
import { UsageError } from '../../apps/node-cli/src/context.ts';
import { snappyCoding } from '../../apps/node-cli/src/horn/snappyCoding.ts';
import { roomLinkFlag } from '../../apps/node-cli/src/live/roomLink.ts';
import { scenarioFlag, scenarioText } from '../../apps/node-cli/src/swarm/scenarioFlag.ts';
import { parsePlan } from '../../apps/node-cli/src/sweep/plan.ts';
import { parseResultLine } from '../../apps/node-cli/src/sweep/resultFile.ts';
import { bitfieldCode, documented, json } from './coreDecoders.ts';
import { type FuzzedDecoder, hold } from './fuzz.ts';
import { mutatedJson, mutatedUtf8 } from './mutate.ts';

const scenarios = [1, 2, 3, 4, 5, 6].map((seed) => JSON.parse(scenarioText({ ...defaultScenario, nodes: 16, seed })));

/** Maximum number of nodes or of seeds that the test creates. Larger numbers are valid, but take too long. */
const many = 1000;

const scenario: FuzzedDecoder<string> = {
  name: 'a scenario',
  share: 1 / 10,
  draw: (random) => mutatedJson(random, scenarios),
  decode(text) {
    const nodes = (json(text)?.parsed as { nodes?: unknown } | null | undefined)?.nodes;
    if (typeof nodes === 'number' && nodes > many) return 'not tried';
    const read = documented(
      UsageError,
      () => scenarioFlag(text),
      ({ message }) => !message.includes('\n'),
    );
    if (read === undefined) return 'UsageError';
    const again = scenarioText(read);
    hold(scenarioText(scenarioFlag(again)) === again, 'what was read can be written and read again');
    return 'value';
  },
};

/** Creates a fuzzed decoder of text from a person or a program, which refuses invalid text in one line. */
function written<T>(
  name: string,
  draw: FuzzedDecoder<string>['draw'],
  error: new (...args: never[]) => Error,
  decode: (text: string) => T,
): FuzzedDecoder<string> {
  return {
    name,
    draw,
    decode(text) {
      const read = documented(
        error,
        () => ({ value: decode(text) }),
        ({ message }) => !message.includes('\n'),
      );
      return read === undefined ? error.name : read.value === undefined ? 'undefined' : 'value';
    },
  };
}

const sweep = { name: 'sizes', base: { dead: 0.1 }, vary: { nodes: [16, 32], network: ['aws'] }, seeds: { count: 3 } };
const secret = { publicKey: 'ab'.repeat(48), secretKey: 'cd'.repeat(32), networkSecret: 'ef'.repeat(32) };
const spread = { min: 1, mean: 2, max: 3 };
const result = {
  key: 'k',
  reached: 1,
  live: 1,
  timeToThresholdMs: spread,
  messagesSent: spread,
  bytesSent: spread,
  checked: spread,
};
const roomLinks = [
  'http://192.0.2.1:8080/#live=class-1',
  'https://example.org/#live=a&signal=wss://other.example/signal',
];

const readSweep = written(
  'a sweep',
  (random) => mutatedJson(random, [sweep]),
  EnvironmentError,
  (text) => parsePlan(text, 'a file'),
);
const aSweep: FuzzedDecoder<string> = {
  ...readSweep,
  decode(text) {
    const count = (json(text)?.parsed as { seeds?: { count?: unknown } | null } | null | undefined)?.seeds?.count;
    return typeof count === 'number' && count > many ? 'not tried' : readSweep.decode(text);
  },
};

export const cliDecoders = [
  scenario,
  aSweep,
  written("a sweep's line", (random) => mutatedJson(random, [result]), UsageError, parseResultLine),
  written(
    'a file of secrets',
    (random) => mutatedJson(random, [{ version: 1, secrets: [secret] }]),
    EnvironmentError,
    (text) => memberKeys(text, 'a file'),
  ),
  written("a live room's link", (random) => mutatedUtf8(random, roomLinks), UsageError, roomLinkFlag),
  bitfieldCode(snappyCoding),
];
