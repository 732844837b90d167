import { concatBytes as join } from '@noble/hashes/utils.js';
import { formatRegistry, type ListedEntry, parseRegistry } from '@tutti/certificates';
import { EnvironmentError, fromHex, toHex } from '@tutti/core/input';
import { Channel, type CryptoSuite, networkKey, nobleCrypto } from '@tutti/transports';
import { nodeCrypto } from '@tutti/transports/node';
import { insecureSeed } from '@tutti/wasm-bls';
import { Reassembly, splitMessage } from '../../packages/transports/src/channel/fragments.ts';
import { decodeCard, encodeCard, validatorsPerMember } from '../../packages/transports/src/room/card.ts';
import { decodeHeartbeat, decodeLeaderMessage } from '../../packages/transports/src/room/messages.ts';
import { decodeNotice, decodeRequest } from '../../packages/transports/src/signalling/messages.ts';
import { SealedSignals } from '../../packages/transports/src/signalling/sealedSignals.ts';
import {
  decodeHello,
  encodeHello,
  FrameDecoder,
  packetHeader,
  pingFrame,
  pongFrame,
  streamPreface,
} from '../../packages/transports/src/tcp/framing.ts';
import { decodeLinkSignal, encodeLinkSignal } from '../../packages/transports/src/webrtc/linkSignal.ts';
import { documented } from './coreDecoders.ts';
import { type FuzzedDecoder, hold } from './fuzz.ts';
import { mutatedBytes, mutatedJson, mutatedUtf8, pick } from './mutate.ts';

const keys = [1, 2, 3].map((fill) => networkKey(nodeCrypto, insecureSeed('network', 1, fill)));

/** Creates a fuzzed decoder of altered packets. Genuine ones would advance the replay window. */
function packet(crypto: CryptoSuite, share: number): FuzzedDecoder<Uint8Array> {
  const channelOf = (self: number) =>
    new Channel({
      crypto,
      session: new Uint8Array(32).fill(9),
      self,
      secret: keys[self]!.secret,
      publicKeys: keys.map(({ publicKey }) => publicKey),
    });
  const receiver = channelOf(0);
  const genuine = [1, 2].flatMap((from) => {
    const sender = channelOf(from);
    return [0, 1, 40, 1100].map((length) => sender.seal(0, new Uint8Array(length).fill(from)));
  });
  const texts = new Set(genuine.map(toHex));
  return {
    name: `a sealed packet, ${crypto.name}`,
    share,
    draw: (random) => mutatedBytes(random, genuine),
    decode(bytes) {
      if (texts.has(toHex(bytes))) return 'value';
      const opened = receiver.open(bytes);
      hold(!opened.ok, 'a packet that nobody sealed is not opened');
      return opened.code;
    },
  };
}

/** Creates a fuzzed decoder of fragments of messages, all genuine, as an insider could send them. */
function pieces(): FuzzedDecoder<Uint8Array> {
  const maxMessageBytes = 3000;
  let code = 'waiting';
  const reassembly = new Reassembly({
    maxMessageBytes,
    onRefused: (refusal) => {
      code = refusal;
    },
  });
  return {
    name: 'a piece of a message',
    draw(random) {
      const message = new Uint8Array(random.nextBelow(maxMessageBytes)).fill(random.nextBelow(256));
      const split = splitMessage(message, pick(random, [20, 100, 1167]), random.nextBelow(16));
      const piece = pick(random, split);
      return random.nextBelow(2) === 0 ? piece : mutatedBytes(random, [piece]);
    },
    decode(payload) {
      code = 'waiting';
      const message = reassembly.take(0, payload);
      hold(reassembly.heldBytes(0) <= reassembly.maxHeldBytes, 'of a peer no more is held than the bound');
      if (message === undefined) return code;
      hold(message.length <= Math.max(payload.length, maxMessageBytes), 'a message is no longer than the bound');
      return 'value';
    },
  };
}

/** Creates a fuzzed decoder of JSON. A returned value must be the same after a second decoding. */
function textual<T>(
  name: string,
  valid: readonly unknown[],
  decode: (text: string) => T | undefined,
  encode: (value: T) => string = JSON.stringify,
): FuzzedDecoder<string> {
  return {
    name,
    draw: (random) => mutatedJson(random, valid),
    decode(text) {
      const value = decode(text);
      if (value === undefined) return 'undefined';
      const again = encode(value);
      const reread = decode(again);
      hold(reread !== undefined && encode(reread) === again, 'what was read can be written and read again');
      return 'value';
    },
  };
}

const entry = (fill: number): ListedEntry => ({
  transport: 'udp',
  publicKey: new Uint8Array(48).fill(fill),
  proofOfPossession: new Uint8Array(96).fill(fill),
  networkKey: new Uint8Array(32).fill(fill),
  networkKeyProof: new Uint8Array(96).fill(fill),
  endpoint: { host: `10.0.0.${fill}`, port: 9000 + fill },
});

const registry: FuzzedDecoder<string> = {
  name: 'a registry',
  draw: (random) => mutatedJson(random, [JSON.parse(formatRegistry([entry(1), entry(2)]))]),
  decode(text) {
    let code = '';
    const entries = documented(
      EnvironmentError,
      () => parseRegistry(text),
      (thrown) => {
        code = (thrown as EnvironmentError).code;
        return code.startsWith('registry-') && !thrown.message.includes('\n');
      },
    );
    if (entries === undefined) return code;
    const again = formatRegistry(entries);
    hold(formatRegistry(parseRegistry(again)) === again, 'what was read can be written and read again');
    return 'value';
  },
};

const member = (fill: string) => fill.repeat(64);

const proposal = { message: 'Lunch at noon', share: 0.51 };

/** Creates a fuzzed decoder of signals of two members that know each other, from an untrusted server. */
function sealedSignal(): FuzzedDecoder<string> {
  const [alice, bob] = [1, 2].map((fill) => new Uint8Array(32).fill(fill)) as [Uint8Array, Uint8Array];
  const nameOf = (secret: Uint8Array) => toHex(networkKey(nodeCrypto, secret).publicKey);
  const genuine: string[] = [];
  const sender = new SealedSignals({
    crypto: nodeCrypto,
    room: 'class-1',
    secret: alice,
    carry: (_, sealed) => genuine.push(sealed),
  });
  for (const text of ['', 'an offer', 'x'.repeat(3000)]) sender.for('link').send(nameOf(bob), text);
  const sealed = new Set(genuine);
  const receiver = new SealedSignals({ crypto: nodeCrypto, room: 'class-1', secret: bob, carry: () => {} });
  let heard = 0;
  receiver.for('link').onSignal(() => heard++);
  return {
    name: 'a sealed signal',
    share: 1 / 10,
    draw: (random) => mutatedUtf8(random, genuine),
    decode(text) {
      if (sealed.has(text.toLowerCase())) return 'value';
      const before = receiver.refused;
      receiver.onSignal(nameOf(alice), text);
      hold(heard === 0, 'a signal that nobody sealed is not heard');
      const refused = Object.entries(receiver.refused).filter(([code, count]) => count !== before[code]);
      hold(refused.length === 1, 'a signal that is not heard is counted');
      return refused[0]![0];
    },
  };
}

const hello: FuzzedDecoder<Uint8Array> = {
  name: 'the hello of a TCP connection',
  draw: (random) =>
    mutatedBytes(
      random,
      ['', '127.0.0.1', '::1', 'abcdef.onion'].map((host) => encodeHello({ nonce: 77n, port: 9000, host })),
    ),
  decode(bytes) {
    const read = decodeHello(bytes);
    if (read === undefined) return 'undefined';
    hold(toHex(encodeHello(read)) === toHex(bytes), 'a hello is written as it was read');
    return 'value';
  },
};

const framed = join(
  streamPreface,
  ...[1, 3, 200].flatMap((length) => [packetHeader(length), new Uint8Array(length).fill(length), pingFrame]),
  pongFrame,
);

const frames: FuzzedDecoder<{ stream: Uint8Array; cuts: number }> = {
  name: 'the frames of a TCP stream',
  draw: (random) => ({ stream: mutatedBytes(random, [framed]), cuts: 1 + random.nextBelow(200) }),
  decode({ stream, cuts }) {
    const [whole, inParts] = [new FrameDecoder(), new FrameDecoder()];
    const atOnce = whole.push(stream);
    if (!atOnce.ok) return 'no frames';
    const bytes = atOnce.frames.reduce((sum, frame) => sum + 2 + (typeof frame === 'string' ? 0 : frame.length), 0);
    const prefaceBytes = Math.min(stream.length, streamPreface.length);
    hold(prefaceBytes + bytes + whole.heldBytes === stream.length, 'every byte is of a frame or held for the next');
    let count = 0;
    for (let at = 0; at < stream.length; at += cuts) {
      const part = inParts.push(stream.subarray(at, at + cuts));
      if (part.ok) count += part.frames.length;
    }
    hold(count === atOnce.frames.length, 'a stream gives the same frames however it is cut');
    return 'value';
  },
};

const hexDigits: FuzzedDecoder<string> = {
  name: 'hexadecimal digits',
  draw: (random) => mutatedUtf8(random, ['0123456789abcdefABCDEF00']),
  decode(text) {
    const bytes = fromHex(text, 12);
    if (bytes === undefined) return 'undefined';
    hold(toHex(bytes) === text.toLowerCase(), 'digits are written as they were read');
    return 'value';
  },
};

export const transportDecoders = [
  packet(nodeCrypto, 1),
  packet(nobleCrypto, 1 / 10),
  pieces(),
  registry,
  textual(
    'a request to the signalling server',
    [
      { type: 'join', room: 'class-1', member: member('a'), card: '{}', proof: member('c') },
      { type: 'signal', to: member('b'), text: 'sealed' },
      { type: 'announce', text: 'sealed' },
    ],
    decodeRequest,
  ),
  textual(
    "the signalling server's notice",
    [
      { type: 'challenge', key: member('a'), nonce: 'd'.repeat(32) },
      { type: 'joined', members: [{ member: member('a'), card: '{}' }] },
      { type: 'came', member: member('a'), card: '{}' },
      { type: 'went', member: member('a') },
      { type: 'signal', from: member('b'), text: 'sealed' },
      { type: 'refused', code: 'too-fast', line: '' },
    ],
    decodeNotice,
  ),
  textual(
    "a WebRTC link's signal",
    [JSON.parse(encodeLinkSignal({ type: 'offer', attempt: 7, sdp: 'v=0\r\n' }))],
    decodeLinkSignal,
  ),
  textual(
    "a room member's card",
    [
      JSON.parse(
        encodeCard({
          entry: entry(1),
          validators: Array(validatorsPerMember).fill(entry(2)),
          label: 'Zoë K.',
          mayLead: true,
        }),
      ),
    ],
    decodeCard,
    encodeCard,
  ),
  textual(
    "a message of a room's leader",
    [
      { type: 'propose', ...proposal },
      { type: 'start', number: 3, members: [member('a'), member('b')], beacon: '7'.repeat(64), ...proposal },
    ],
    decodeLeaderMessage,
  ),
  textual(
    "a room member's beat",
    [
      { awake: true, progress: null },
      {
        awake: false,
        progress: {
          round: 1,
          weight: 3,
          levels: [
            [1, 1],
            [0, 2],
          ],
          sent: 9,
          received: 8,
          checked: 2,
          reachedMs: 120,
        },
      },
    ],
    decodeHeartbeat,
  ),
  sealedSignal(),
  hello,
  frames,
  hexDigits,
];
