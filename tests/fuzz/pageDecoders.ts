import { readSlotLink, slotLink } from '../../apps/visualizer/src/horn/slotState.ts';
import { decodeState, encodeState } from '../../apps/visualizer/src/state/pageState.ts';
import { type FuzzedDecoder, hold } from './fuzz.ts';
import { mutatedUtf8 } from './mutate.ts';

/** The part of a page's address after `#`: always a state, and the same when it is written and read again. */
function link<State>(
  name: string,
  valid: readonly string[],
  decode: (hash: string) => State,
  encode: (state: State) => string,
): FuzzedDecoder<string> {
  return {
    name,
    draw: (random) => mutatedUtf8(random, valid),
    decode(hash) {
      const again = encode(decode(hash));
      hold(encode(decode(again)) === again, 'what was read can be written and read again');
      return again === hash ? 'value' : 'brought into range';
    },
  };
}

export const pageDecoders = [
  link('a link to a run', [encodeState(decodeState('n=64&dead=0.2&t=12&ring=region'))], decodeState, encodeState),
  link(
    'a link to a slot',
    [slotLink(readSlotLink('protocol=horn&dead=0.1&t=12').values)],
    (hash) => readSlotLink(hash).values,
    slotLink,
  ),
];
