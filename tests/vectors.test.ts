import {
  createCipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import {
  decodeMessage,
  encodeMessage,
  IndependentPriorities,
  identityStatement,
  MultiSignatureScheme,
  registryDigest,
  Tree,
} from '@tutti/core';
import { fromHex, toHex } from '@tutti/core/input';
import { decodeRecording, encodeRecording } from '@tutti/simulation';
import {
  beaconCommitment,
  beaconOfMembers,
  Channel,
  type CryptoSuite,
  networkKey,
  nobleCrypto,
  placementOf,
  roundSeed,
  roundSession,
  sessionId,
} from '@tutti/transports';
import { nodeCrypto } from '@tutti/transports/node';
import { loadBls } from '@tutti/wasm-bls';
import { describe, expect, it } from 'vitest';
import { prioritiesOf } from '../packages/transports/src/rounds/seed.ts';
import { NameCheck, proveName } from '../packages/transports/src/signalling/joinProof.ts';
import { SealedSignals } from '../packages/transports/src/signalling/sealedSignals.ts';

/**
 * Vectors of everything on which peers of two versions must agree, byte for byte. Each vector is stored in
 * `vectors/agreements.json`. Each vector is compared with a computation from the pages of docs/, with Node's primitives
 * and without this project's code, and with the result of this project's code. A changed vector means a new format,
 * which needs another label or version.
 */
const vectors: Record<string, string> = JSON.parse(
  readFileSync(new URL('./vectors/agreements.json', import.meta.url), 'utf8'),
);

/** Checks that the vector equals both the value computed from its page and the value computed by the code. */
function agree(name: string, computed: Uint8Array | string, given: Uint8Array | string): void {
  const [theirs, ours] = [computed, given].map((one) => (typeof one === 'string' ? one : toHex(one)));
  expect(theirs, `${name}, as its page says`).toBe(vectors[name]);
  expect(ours, `${name}, as the code has it`).toBe(vectors[name]);
}

const ascii = (text: string) => Buffer.from(text, 'ascii');
const sha256 = (...parts: readonly Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
const hkdf = (...[secret, salt, info, bytes]: [Uint8Array, Uint8Array, Uint8Array, number]) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
const uint = (value: number, bytes: number) => Buffer.from(value.toString(16).padStart(2 * bytes, '0'), 'hex');

const entries = [1, 2].map((fill) => ({
  publicKey: new Uint8Array(48).fill(fill),
  networkKey: new Uint8Array(32).fill(0x10 + fill),
}));
const [first, second] = entries as [(typeof entries)[0], (typeof entries)[0]];
const suite = ascii('BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_');
const digestBy = (epoch: number, threshold: readonly number[], margin: readonly number[], weights: readonly number[]) =>
  sha256(
    ...[ascii('tutti registry v3'), Uint8Array.of(suite.length), suite],
    ...[epoch, ...threshold, ...margin, entries.length].map((value) => uint(value, 8)),
    ...entries.flatMap(({ publicKey, networkKey }, at) => [publicKey, networkKey, uint(weights[at]!, 8)]),
  );
/** Digest of a registry of version 1. Rounds and channels accept any digest of 32 bytes. */
const digest = Buffer.from('00b83a349d995654482d404151b1b64060293ccc5fc34ac680cea73bb1548ca9', 'hex');
const message = ascii('block 17');

describe('the registry', () => {
  it("its digest, and the statement that binds a network key to the owner's key", () => {
    agree('registry digest', digestBy(0, [67, 100], [0, 1], [1, 1]), registryDigest(nodeCrypto, { entries }));
    const weighed = entries.map((entry, at) => ({ ...entry, weight: 5n - BigInt(at) }));
    const terms = {
      epoch: 3n,
      threshold: { numerator: 2n, denominator: 3n },
      margin: { numerator: 3n, denominator: 100n },
    };
    const given = registryDigest(nodeCrypto, { entries: weighed, ...terms });
    agree('registry digest with terms', digestBy(3, [2, 3], [3, 100], [5, 4]), given);
    const statement = Buffer.concat([ascii('tutti identity v1\0'), first.publicKey, second.networkKey]);
    agree('identity statement', statement, identityStatement(first.publicKey, second.networkKey));
  });
});

const beacon = new Uint8Array(32).fill(0xbe);
const seed = sha256(ascii('tutti round seed v2'), digest, uint(17, 8), beacon);
const agreed = `round 17 seed ${seed.toString('hex')} priorities independent message ${message.toString('hex')}`;
const session = sha256(ascii('tutti session v1'), digest, ascii(agreed));

describe('a round', () => {
  it('its seed, with a beacon and without', () => {
    agree('round seed', seed, roundSeed(nodeCrypto, digest, 17, beacon));
    const without = sha256(ascii('tutti round seed v2'), digest, uint(17, 8));
    agree('round seed without beacon', without, roundSeed(nodeCrypto, digest, 17));
  });

  it('the commitments of a first beacon, and their openings', () => {
    const opening = new Uint8Array(32).fill(0x0e);
    const commitment = sha256(ascii('tutti beacon commitment v1'), first.publicKey, opening);
    agree('beacon commitment', commitment, beaconCommitment(nodeCrypto, first.publicKey, opening));
    const members = [{ publicKey: first.publicKey, commitment, opening }];
    const made = beaconOfMembers(nodeCrypto, members);
    if (!made.ok) throw new Error(`member ${made.member}: expected its opening to hold`);
    agree('beacon of members', sha256(ascii('tutti beacon of members v1'), first.publicKey, opening), made.beacon);
  });

  it('its session, and the session of any text', () => {
    agree('session', session, roundSession(nodeCrypto, digest, { number: 17, message, seed }));
    const ofText = sha256(ascii('tutti session v1'), digest, ascii('17'));
    agree('session of a text', ofText, sessionId(nodeCrypto, digest, '17'));
  });

  /** Returns words of SHA-256(label | seed | block), big-endian. */
  const wordsOf = (label: string, count: number) =>
    Array.from({ length: count }, (_, at) => sha256(ascii(label), seed, uint(at >> 3, 4)).readUInt32BE(4 * (at & 7)));

  it('its placement: Fisher-Yates from the end, with words of the seed modulo the remaining length', () => {
    const size = 20;
    const order = Array.from({ length: size }, (_, i) => i);
    // With this seed, no word is in the incomplete last interval, whose words would be skipped.
    const words = wordsOf('tutti placement v1', size);
    for (let last = size - 1; last > 0; last--) {
      const other = words[size - 1 - last]! % (last + 1);
      [order[last], order[other]] = [order[other]!, order[last]!];
    }
    agree('placement of 20', order.join(), placementOf(nodeCrypto, size, seed).join());
  });

  it('its priorities: a Feistel network of four rounds, two words of the seed per round, walked into the range', () => {
    const mix = (value: number) => {
      let x = value | 0;
      x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
      x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
      return (x ^ (x >>> 16)) | 0;
    };
    // 20 positions need 5 bits, so a half has up to 3 bits.
    const rank = (words: readonly number[], receiver: number, sender: number): number => {
      let [left, right] = [sender >> 3, sender & 7];
      for (let round = 0; round < 4; round++) {
        const key = mix((words[2 * round]! | 0) + receiver * 4 + round) ^ words[2 * round + 1]!;
        [left, right] = [right, left ^ (mix(key ^ right) & 7)];
      }
      const value = (left << 3) | right;
      return value < 20 ? value : rank(words, receiver, value);
    };
    const row = (of: (receiver: number, sender: number) => number) =>
      Array.from({ length: 20 }, (_, sender) => of(3, sender)).join();
    // In a simulation, the seed is a single word for all rounds.
    for (const [name, priorities, words] of [
      [
        'priorities of 20 with position 3',
        prioritiesOf(nodeCrypto, 20, seed, 'independent'),
        wordsOf('tutti priorities v1', 8),
      ],
      [
        'priorities of 20 with position 3, simulated',
        new IndependentPriorities(20, 9),
        Array.from({ length: 8 }, (_, i) => (i % 2 ? 0 : mix(9))),
      ],
    ] as const)
      agree(
        name,
        row((receiver, sender) => rank(words, receiver, sender)),
        row((receiver, sender) => priorities.rank(receiver, sender)),
      );
  });
});

const secrets = [1, 2].map((fill) => new Uint8Array(32).fill(fill));
const keyOf = (secret: Uint8Array) => {
  const key = Buffer.concat([Buffer.from('302e020100300506032b656e04220420', 'hex'), secret]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
};
const publicOf = (secret: Uint8Array) =>
  new Uint8Array(createPublicKey(keyOf(secret)).export({ format: 'der', type: 'spki' }).subarray(-32));
const shared = diffieHellman({ privateKey: keyOf(secrets[0]!), publicKey: createPublicKey(keyOf(secrets[1]!)) });
const incarnations = [new Uint8Array(8).fill(0xa1), new Uint8Array(8).fill(0xb2)];

interface Sealing {
  readonly session: Uint8Array;
  /** Index of the sender, 0 or 1. The other index is that of the receiver. */
  readonly sender: number;
  readonly heard: boolean;
  readonly counter: number;
  readonly payload: Uint8Array;
  /** Public keys by index, in the order that the channel uses. */
  readonly publicKeys: readonly Uint8Array[];
  readonly secret: Uint8Array;
  readonly incarnation: Uint8Array;
}

/** Returns a packet as specified in docs/reference/channel-and-wire.md. */
function packetOf({ session, sender, heard, counter, payload, publicKeys, secret, incarnation }: Sealing): Uint8Array {
  const info = Buffer.concat([ascii('tutti channel v2'), ...publicKeys]);
  const root = hkdf(shared, session, info, 64).subarray(32 * sender, 32 * sender + 32);
  const receiverIncarnation = heard ? incarnations[1 - sender]! : new Uint8Array(8);
  const key = createHmac('sha256', root).update(incarnation).update(receiverIncarnation).digest();
  const beforeSalt = Buffer.concat([
    uint(2, 1),
    session.subarray(0, 4),
    uint(sender, 3),
    uint(1 - sender, 3),
    incarnation,
    receiverIncarnation.subarray(0, 4),
    uint(counter, 4),
  ]);
  const saltKey = hkdf(secret, session, Buffer.concat([ascii('tutti nonces v2'), incarnation]), 32);
  const salt = sha256(saltKey, beforeSalt, payload).subarray(0, 8);
  const header = Buffer.concat([beforeSalt, salt]);
  const nonce = Buffer.concat([uint(counter, 4), salt]);
  const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: 16 });
  cipher.setAAD(Buffer.concat([session, header]), { plaintextLength: payload.length });
  return Buffer.concat([header, cipher.update(payload), cipher.final(), cipher.getAuthTag()]);
}

const withIncarnation = (crypto: CryptoSuite, incarnation: Uint8Array): CryptoSuite => ({
  ...crypto,
  randomBytes: () => incarnation.slice(),
});

describe.each([nodeCrypto, nobleCrypto])('the channel, $name', (crypto) => {
  const publicKeys = secrets.map(publicOf);
  const channels = secrets.map(
    (secret, self) =>
      new Channel({ crypto: withIncarnation(crypto, incarnations[self]!), session, self, secret, publicKeys }),
  ) as [Channel, Channel];
  const [ann, ben] = channels;
  const said = { session, publicKeys, payload: ascii('hello') };
  const annSays = { ...said, sender: 0, secret: secrets[0]!, incarnation: incarnations[0]! };

  it('a first packet, a packet after both have received one, and a packet that names the incarnation', () => {
    const before = packetOf({ ...annSays, heard: false, counter: 0 });
    const sealed = ann.seal(1, said.payload);
    agree('packet before the other was heard', before, sealed);
    expect(ben.open(sealed).ok).toBe(true);

    const back = { ...said, sender: 1, secret: secrets[1]!, incarnation: incarnations[1]!, heard: true, counter: 0 };
    const answer = ben.seal(0, said.payload);
    agree('packet of the second to the first', packetOf(back), answer);
    expect(ann.open(answer).ok).toBe(true);
    const belated = ann.seal(1, said.payload);
    agree('packet bound to both lives', packetOf({ ...annSays, heard: true, counter: 1 }), belated);

    const otherIncarnation = new Uint8Array(8).fill(0xc3);
    const reborn = new Channel({
      ...said,
      crypto: withIncarnation(crypto, otherIncarnation),
      self: 1,
      secret: secrets[1]!,
    });
    const opened = reborn.open(belated);
    const empty = { ...back, incarnation: otherIncarnation, heard: false, payload: new Uint8Array(0) };
    agree('answer to a packet for an earlier life', packetOf(empty), opened.ok ? '' : opened.answer!.packet);
  });

  it('a signal of a room', () => {
    const names = secrets.map((secret) => toHex(networkKey(nodeCrypto, secret).publicKey));
    const inOrder = [...names].sort();
    const sender = inOrder.indexOf(names[0]!);
    const carried: string[] = [];
    new SealedSignals({
      crypto: withIncarnation(crypto, incarnations[0]!),
      room: 'class-1',
      secret: secrets[0]!,
      carry: (_, sealed) => carried.push(sealed),
    })
      .for('room')
      .send(names[1]!, 'hello');
    const packet = packetOf({
      ...annSays,
      session: sha256(ascii('tutti room signals v2'), ascii('class-1')),
      sender,
      publicKeys: inOrder.map((name) => fromHex(name, 32)!),
      heard: false,
      counter: 0,
      payload: Buffer.concat([uint(1, 1), ascii('hello')]),
    });
    agree('signal of a room', packet, carried[0]!);
  });

  it('the proof that a member owns its name, over both keys and the room', () => {
    const [server, member] = publicKeys as [Uint8Array, Uint8Array];
    const challenge = { key: toHex(server), nonce: '5c'.repeat(16) };
    const info = Buffer.concat([ascii('tutti signalling join v1\0'), server, member, ascii('class-1')]);
    const computed = hkdf(shared, Buffer.from(challenge.nonce, 'hex'), info, 32);
    const given = proveName(crypto, secrets[1]!, challenge, 'class-1')!;
    agree('proof of a name', toHex(computed), given);
    const names = new NameCheck(withIncarnation(crypto, secrets[0]!));
    expect(names.challenge().key).toBe(challenge.key);
    expect(names.holds(challenge.nonce, 'class-1', toHex(member), given)).toBe(true);
  });
});

describe('the wire', () => {
  it('a message with a partial aggregate, and one with the aggregate of a whole subtree', async () => {
    const scheme = new MultiSignatureScheme({ tree: new Tree(16), kernel: await loadBls({ engine: 'noble' }) });
    const signature = Uint8Array.from({ length: 96 }, (_, i) => i);
    const own = new Uint8Array(96).fill(0xee);
    // Node 0 sends node 4 positions 0, 1 and 3 at level 3, and node 8 positions 0 to 7 at level 4.
    const messages = [
      { name: 'message of some', level: 3, to: 4, set: '010b', flags: 1, weight: 3 },
      { name: 'message of all', level: 4, to: 8, set: '00', flags: 0, weight: 8 },
    ];
    for (const { name, level, to, set, flags, weight } of messages) {
      const header = Buffer.of(1, level, flags | 0x80).toString('hex');
      const bytes = `${header}${set}${toHex(signature)}00${toHex(own)}`;
      const read = decodeMessage(scheme, to, 0, fromHex(bytes, bytes.length / 2)!);
      if (!read.ok) throw new Error(`${name}: ${read.code}`);
      expect([read.level, read.flags, scheme.weight(read.aggregate)]).toEqual([level, flags, weight]);
      agree(name, bytes, encodeMessage(scheme, level, read.aggregate, read.individual, flags));
    }
  });
});

describe('a recording', () => {
  const bytes = readFileSync(new URL('./vectors/recording.tutti', import.meta.url));
  const headerBytes = bytes.readUInt32LE(12);
  const header = JSON.parse(bytes.toString('ascii', 16, 16 + headerBytes));

  /** Returns a column, decoded as specified in docs/reference/recording-format.md. */
  function columnOf(name: string): number[] {
    let at = 16 + headerBytes;
    for (const column of header.columns) {
      if (column.name === name) return entriesOf(column.code, bytes.subarray(at, at + column.bytes));
      at += column.bytes;
    }
    throw new Error(`no column ${name}`);
  }

  function entriesOf(code: string, coded: Buffer): number[] {
    if (code === 'bytes') return [...coded];
    if (code === 'words') return Array.from({ length: coded.length / 4 }, (_, i) => coded.readInt32LE(4 * i));
    if (code === 'floats') return Array.from({ length: coded.length / 4 }, (_, i) => coded.readFloatLE(4 * i));
    const varints: number[] = [];
    for (let at = 0, value = 0, scale = 1; at < coded.length; at++) {
      value += (coded[at]! & 0x7f) * scale;
      scale *= 128;
      if (coded[at]! >= 0x80) continue;
      varints.push(value);
      [value, scale] = [0, 1];
    }
    if (code === 'signed') return varints.map((v) => (v % 2 === 0 ? v / 2 : -(v + 1) / 2));
    const times = code === 'after' ? columnOf('timeUs') : [];
    let before = 0;
    return varints.map((v, i) => {
      if (code === 'ascending') before += v;
      else if (code === 'after') return v === 0 ? -1 : times[i]! + v - 1;
      else if (v === 0) return -1;
      else before += v - 1;
      return before;
    });
  }

  it('a file of format 2 is read as its page states, and its columns are written byte for byte', () => {
    expect(toHex(sha256(bytes))).toBe(vectors['recording file']);
    const recording = decodeRecording(new Uint8Array(bytes));
    const columns: Record<string, unknown> = { ...recording, ...recording.world, alive: recording.world.role };
    for (const { name } of header.columns)
      expect(Array.from(columns[name] as ArrayLike<number>), name).toEqual(columnOf(name));
    const written = Buffer.from(encodeRecording(recording));
    // The header has changed since the file was written, so the checksum at the end differs.
    const columnsOf = (file: Buffer) => file.subarray(16 + file.readUInt32LE(12), -4);
    expect(columnsOf(written).equals(columnsOf(bytes))).toBe(true);
    expect(written.subarray(0, 12).equals(bytes.subarray(0, 12))).toBe(true);
    for (const file of [bytes, written]) expect(file.readUInt32LE(file.length - 4)).toBe(crc32(file.subarray(0, -4)));
  });
});
