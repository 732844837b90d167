import {
  decodeMessage,
  encodeMessage,
  MultiSignatureScheme,
  noContribution,
  type RandomStream,
  type SignatureKernel,
  Tree,
} from '@tutti/core';
import { type BitfieldCoding, runLengthCoding, sparseCoding } from '@tutti/core/horn';
import {
  createSimulation,
  decodeRecording,
  defaultScenario,
  encodeRecording,
  faultKinds,
  generateFaults,
  validateFaults,
} from '@tutti/simulation';
import { readMultiplicities, writeMultiplicities } from '../../packages/core/src/contribution/multiplicities.ts';
import { readSet, writeSet } from '../../packages/core/src/contribution/setCode.ts';
import { type FuzzedDecoder, hold } from './fuzz.ts';
import { mutatedBytes, mutatedJson, pick } from './mutate.ts';

interface Given {
  readonly nodes: number;
  readonly receiver: number;
  readonly from: number;
  readonly bytes: Uint8Array;
}

/** Kernel without a curve. No decoder encodes or adds points. */
const kernel: SignatureKernel = {
  decodeSignature: () => ({ ok: false }),
  encodeSignature: (point) => point,
  addSignatures: (point) => point,
};

/** Schemes for sizes that are powers of two and for other sizes, with sets of one word and of several words. */
const schemes = new Map(
  [1, 2, 5, 13, 300].map((nodes) => [
    nodes,
    // The decoder does not check signatures. Only a forgery uses the curve, or else other bytes.
    new MultiSignatureScheme({ tree: new Tree(nodes), kernel }),
  ]),
);

/** Returns a message of Handel to a random member of a group. Most of them could be from an honest peer. */
function messageFor(random: RandomStream): Given {
  const [nodes, scheme] = pick(random, [...schemes]);
  const [receiver, from] = [random.nextBelow(nodes), random.nextBelow(nodes)];
  if (receiver === from) return { nodes, receiver, from, bytes: mutatedBytes(random, [new Uint8Array(200)]) };
  const level = 32 - Math.clz32(receiver ^ from);
  const block = scheme.tree.ownBlock(from, level);
  const size = scheme.tree.size(block);
  const words = Int32Array.from({ length: (size + 31) >>> 5 }, () => random.nextUint32());
  if ((size & 31) !== 0) words[words.length - 1]! &= (1 << (size & 31)) - 1;
  words[0]! |= 1;
  const aggregate = scheme.forge(block, random.nextBelow(4) === 0 ? undefined : words);
  const individual =
    random.nextBelow(2) === 0
      ? noContribution
      : scheme.individual(from, new Uint8Array(96).fill(random.nextBelow(256)));
  const bytes = encodeMessage(scheme, level, aggregate, individual, random.nextBelow(4));
  scheme.release(aggregate);
  if (individual !== noContribution) scheme.release(individual);
  return { nodes, receiver, from, bytes: random.nextBelow(8) === 0 ? bytes : mutatedBytes(random, [bytes]) };
}

const handelMessage: FuzzedDecoder<Given> = {
  name: 'a message of Handel',
  draw: messageFor,
  decode({ nodes, receiver, from, bytes }) {
    const scheme = schemes.get(nodes)!;
    const read = decodeMessage(scheme, receiver, from, bytes);
    if (read.ok) {
      const { level, aggregate, individual, flags } = read;
      const again = encodeMessage(scheme, level, aggregate, individual, flags);
      scheme.release(aggregate);
      if (individual !== noContribution) scheme.release(individual);
      // A full set may also have been encoded as a list, which is longer than the shortest encoding.
      hold(again.length <= bytes.length, 'a message is written no longer than it was read');
      hold(decodeMessage(scheme, receiver, from, again).ok, 'what was read can be written and read again');
    }
    return read.ok ? 'value' : read.code;
  },
};

const holdSame = (written: Uint8Array, read: Uint8Array, what: string): void =>
  hold(
    written.every((byte, at) => byte === read[at]),
    what,
  );

const set: FuzzedDecoder<{ size: number; bytes: Uint8Array }> = {
  name: 'a set of signers',
  draw(random) {
    const size = 1 + random.nextBelow(200);
    const listed = Uint8Array.from({ length: 1 + ((size + 7) >> 3) }, () => random.nextBelow(256));
    listed[0] = 1;
    return { size, bytes: mutatedBytes(random, [listed, Uint8Array.of(0)]) };
  },
  decode({ size, bytes }) {
    const read = readSet(size, bytes, 0);
    if (!read.ok) return read.code;
    const again = new Uint8Array(read.end);
    hold(writeSet(read.words, size, again, 0) === read.end, 'a set is written as long as it was read');
    holdSame(again, bytes, 'a set is written as it was read');
    return 'value';
  },
};

const multiplicities: FuzzedDecoder<{ members: number; bytes: Uint8Array }> = {
  name: 'a vector of multiplicities',
  draw(random) {
    const members = 1 + random.nextBelow(300);
    const counts = Uint8Array.from({ length: members }, () => random.nextBelow(16));
    return { members, bytes: mutatedBytes(random, [writeMultiplicities(counts)]) };
  },
  decode({ members, bytes }) {
    const read = readMultiplicities(bytes, members);
    if (!read.ok) return read.code;
    holdSame(writeMultiplicities(read.counts), bytes, 'a vector is written as it was read');
    return 'value';
  },
};

/** Recordings with every possible kind of entry. */
const recordings = [0, 1].map((seed) => {
  const nodes = 6 + seed;
  const faults = generateFaults({ ...defaultScenario, nodes }, { seed, healedByMs: 40, kinds: faultKinds });
  const simulation = createSimulation({ ...defaultScenario, nodes, seed, faults }, { record: true });
  while (simulation.advance(1 << 20));
  const checked = encodeRecording(simulation.recording());
  // One recording is in format 1, without a checksum. A checksum would reject every mutation before the other checks.
  return seed === 0 ? checked : checked.slice(0, -4).with(8, 1);
});

const recording: FuzzedDecoder<Uint8Array> = {
  name: 'a recording',
  share: 1 / 10,
  draw: (random) => mutatedBytes(random, recordings),
  decode(bytes) {
    const read = documented(RangeError, () => decodeRecording(bytes));
    if (read === undefined) return 'RangeError';
    encodeRecording(read);
    return 'value';
  },
};

const faultPlans = [1, 2, 3, 4].map((seed) =>
  generateFaults({ ...defaultScenario, nodes: 20 }, { seed, healedByMs: 1000, max: 8, kinds: faultKinds }),
);

const faults: FuzzedDecoder<string> = {
  name: 'a fault plan',
  draw: (random) => mutatedJson(random, faultPlans),
  decode(text) {
    const value = json(text);
    if (value === undefined) return 'no JSON';
    const plan = documented(RangeError, () => {
      validateFaults(value.parsed, 20);
      return value.parsed;
    });
    if (plan === undefined) return 'RangeError';
    // An accepted fault plan must be valid for a simulation.
    createSimulation({ ...defaultScenario, nodes: 20, faults: plan });
    return 'value';
  },
};

/** Creates a fuzzed decoder for an encoding of bitfields, Horn's or another one. */
export function bitfieldCode(coding: BitfieldCoding): FuzzedDecoder<{ bits: number; code: Uint8Array }> {
  return {
    name: `a bitfield, ${coding.name}`,
    draw(random) {
      const bits = 1 + random.nextBelow(600);
      const dense = random.nextBelow(3);
      const bitfield = Uint8Array.from({ length: (bits + 7) >> 3 }, () =>
        dense === 0 ? random.nextBelow(256) : dense === 1 ? 0 : 0xff,
      );
      if ((bits & 7) !== 0) bitfield[bitfield.length - 1]! &= (1 << (bits & 7)) - 1;
      return { bits, code: mutatedBytes(random, [coding.encode(bitfield, bits)]) };
    },
    decode({ bits, code }) {
      const bitfield = coding.decode(code, bits);
      if (bitfield === undefined) return 'undefined';
      hold(bitfield.length === (bits + 7) >> 3, 'a bitfield has the length that was asked for');
      return 'value';
    },
  };
}

/** Returns the JSON value of a text, or undefined if the parser rejects the text. */
export function json(text: string): { readonly parsed: unknown } | undefined {
  return documented(SyntaxError, () => ({ parsed: JSON.parse(text) as unknown }));
}

/** Returns the decoded value, or undefined if the decoder threw the documented error with a one-line message. */
export function documented<T>(
  error: new (...args: never[]) => Error,
  decode: () => T,
  isAsDocumented: (thrown: Error) => boolean = () => true,
): T | undefined {
  try {
    return decode();
  } catch (thrown) {
    if (!(thrown instanceof error) || !isAsDocumented(thrown)) throw thrown;
    return undefined;
  }
}

export const coreDecoders = [
  handelMessage,
  set,
  multiplicities,
  recording,
  faults,
  bitfieldCode(runLengthCoding),
  bitfieldCode(sparseCoding),
];
