import { validateNetworkScenario } from '@tutti/ethereum';
import { validateScenario } from '@tutti/simulation';
import { planFields } from '../../apps/visualizer/src/figure/figurePlan.ts';
import { networkLink, networkScenario, readNetworkLink } from '../../apps/visualizer/src/horn/networkState.ts';
import { readSlotLink, slotLink } from '../../apps/visualizer/src/horn/slotState.ts';
import { leanFields } from '../../apps/visualizer/src/lean/leanState.ts';
import { decodeState, encodeState } from '../../apps/visualizer/src/state/pageState.ts';
import { readStoryLink, writeStoryLink } from '../../apps/visualizer/src/story/address.ts';
import { validateSlotScenario } from '../../packages/ethereum/src/slots/slotScenario.ts';
import { type FuzzedDecoder, hold } from './fuzz.ts';
import { mutatedUtf8 } from './mutate.ts';

/** Creates a fuzzed decoder of a page's address after `#`. A second rewriting must not change the link. */
function link(name: string, valid: readonly string[], rewrite: (hash: string) => string): FuzzedDecoder<string> {
  return {
    name,
    draw: (random) => mutatedUtf8(random, valid.map(rewrite)),
    decode(hash) {
      const again = rewrite(hash);
      hold(rewrite(again) === again, 'what was read can be written and read again');
      return again === hash ? 'value' : 'brought into range';
    },
  };
}

export const pageDecoders = [
  link('a link to a run', ['n=64&dead=0.2&t=12&ring=region'], (hash) => {
    const state = decodeState(hash);
    validateScenario(state.scenario);
    hold(state.node < state.scenario.nodes, 'the node is one of the run');
    return encodeState(state);
  }),
  link('a link to a slot', ['protocol=horn&dead=0.1&t=12'], (hash) => {
    const { values } = readSlotLink(hash);
    validateSlotScenario(values.scenario);
    return slotLink(values);
  }),
  link('a link to a slot on a network', ['model=network&attack=late:0.2&proposal=cap&slot=6&t=12'], (hash) => {
    const { choice, timeUs } = readNetworkLink(hash);
    validateNetworkScenario(networkScenario(choice));
    return networkLink(choice, timeUs);
  }),
  link('a link to a slot of proofs', ['subnets=4&strategies=tree,super&seed=7&job=greedy:3&t=40'], (hash) =>
    leanFields.write(leanFields.read(hash).values),
  ),
  link('a link to a figure', ['title=Liars&x=nodes&protocols=handel,gossip&log=xy'], (hash) =>
    planFields.write(planFields.read(hash).values, true),
  ),
  link('a link into the story', ['switch-off&row=gossip&attack=flood&t=12', 'break-it&run&n=64&t=3'], (hash) => {
    const { link: read } = readStoryLink(hash);
    return read === undefined ? hash : writeStoryLink(read);
  }),
];
