import { defaultScenario } from '@tutti/core';
import { snappyCoding } from '../../apps/node-cli/src/snappyCoding.ts';
import { scenarioFlag, scenarioText } from '../../apps/node-cli/src/swarm/scenarioText.ts';
import { UsageError } from '../../apps/node-cli/src/usageError.ts';
import { bitfieldCode, documented, json } from './coreDecoders.ts';
import { type FuzzedDecoder, hold } from './fuzz.ts';
import { mutatedJson } from './mutate.ts';

const scenarios = [1, 2, 3, 4, 5, 6].map((seed) => JSON.parse(scenarioText({ ...defaultScenario, nodes: 16, seed })));

/** Nodes that a scenario may well ask for, and that would take the fuzzer's time to make. */
const MANY_NODES = 1000;

const scenario: FuzzedDecoder<string> = {
  name: 'a scenario',
  share: 1 / 10,
  draw: (random) => mutatedJson(random, scenarios),
  decode(text) {
    const nodes = (json(text)?.parsed as { nodes?: unknown } | null | undefined)?.nodes;
    if (typeof nodes === 'number' && nodes > MANY_NODES) return 'not tried';
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

export const cliDecoders = [scenario, bitfieldCode(snappyCoding)];
