import {
  challengeChain,
  decodeRing,
  identityKeyGen,
  linkable,
  type Ring,
  type RingMark,
  type RingScheme,
  traceable,
} from '@tutti/anonymous/ring';
import { toHex } from '@tutti/core/input';
import { answerTasks } from '@tutti/visualizer/worker/task';
import { type ChainReport, type Flaw, type RingAnswer, type RingRequest, ringMembers } from './ringMessages.ts';

const draw = (bytes = 32) => crypto.getRandomValues(new Uint8Array(bytes));
const utf8 = (text: string) => new TextEncoder().encode(text);
/** The members' keys, newly generated for this page. */
const identities = Array.from({ length: ringMembers }, () => identityKeyGen(draw()));
const ring = opened();

const setUp = 'set-up 7';
const later = 'set-up 8';

function opened(): Ring {
  const read = decodeRing(identities.map(({ publicKey }) => publicKey));
  if (!read.ok) throw new Error(`a ring of fresh keys: ${read.code}`);
  return read.ring;
}

function signed(scheme: RingScheme, signer: number, event: string, text: string): Uint8Array {
  return scheme.sign(ring, identities[signer]!.secretKey, utf8(event), utf8(text), draw());
}

function markOf(scheme: RingScheme, event: string, text: string, signature: Uint8Array): RingMark {
  const verified = scheme.verify(ring, utf8(event), utf8(text), signature);
  if (!verified.ok) throw new Error(`a signature just made: ${verified.code}`);
  return verified.mark;
}

function chain(signer: number, flaw: Flaw): ChainReport {
  const [event, text] = [setUp, 'a fresh key'];
  const signature = flaw === 'stranger' ? forged() : signed(linkable, signer, event, text);
  const changed = flaw === 'response' ? (signer + ringMembers / 2) % ringMembers : undefined;
  // The change affects the lowest byte of the member's response; the responses follow c_0 and the tag.
  if (changed !== undefined) signature[64 + 32 * changed]! ^= 1;
  const challenges = challengeChain(ring, utf8(event), utf8(text), signature);
  if (challenges === undefined) throw new Error('a signature just made is not well-formed');
  const tag = toHex(signature.slice(32, 64));
  return { signer, flaw, changed, challenges: challenges.map(toHex), tag, bytes: signature.length };
}

/** Returns a well-formed signature of random values. No better forgery without a member's secret is known. */
function forged(): Uint8Array {
  const signature = draw(linkable.signatureBytes(ringMembers));
  // Scalars must be below the group order, and the tag must encode an element.
  for (let at = 31; at < signature.length; at += 32) signature[at]! &= 0x0f;
  signature.set(identityKeyGen(draw()).publicKey, 32);
  return signature;
}

function tags(signer: number): RingAnswer {
  const other = (signer + 3) % ringMembers;
  const given = [
    [setUp, signer, 'key A'],
    [setUp, other, 'key B'],
    [setUp, signer, 'key C'],
    [later, signer, 'key D'],
  ] as const;
  const marks = given.map(([event, who, text]) => markOf(linkable, event, text, signed(linkable, who, event, text)));
  const rows = given.map(([event, who, text], i) => {
    const hasFirstTag = linkable.relate(marks[0]!, marks[i]!).kind !== 'independent';
    return { event, signer: who, text, tag: toHex(marks[i]!.tags[0]!), hasFirstTag };
  });
  return { kind: 'tags', signer, rows };
}

function lines(cheat: number | undefined): RingAnswer {
  const [first, second] = [cheat ?? 2, cheat ?? 5];
  const given = [
    [first, 'key A'],
    [second, 'key B'],
    [(first + 1) % ringMembers, 'key C'],
  ] as const;
  const marks = given.map(([who, text]) => markOf(traceable, setUp, text, signed(traceable, who, setUp, text)));
  const relation = traceable.relate(marks[0]!, marks[1]!);
  return {
    kind: 'lines',
    report: {
      cheat,
      rows: given.map(([, text], i) => ({ text, tags: marks[i]!.tags.map(toHex) })),
      named: relation.kind === 'double' ? relation.signer : undefined,
    },
  };
}

/**
 * Measures the time of a multiplication in a verification: the median of seven verifications, after two verifications
 * as a warm-up.
 */
function timing(): RingAnswer {
  const signature = signed(traceable, 0, setUp, 'timing');
  const times = Array.from({ length: 9 }, () => {
    const began = performance.now();
    traceable.verify(ring, utf8(setUp), utf8('timing'), signature);
    return performance.now() - began;
  });
  const medianMs = times.slice(2).sort((a, b) => a - b)[3]!;
  return { kind: 'timing', multiplicationUs: (1000 * medianMs) / (traceable.multiplicationsPerMember * ringMembers) };
}

answerTasks<RingRequest, RingAnswer>((request) => {
  if (request.ask === 'chain') return { kind: 'chain', report: chain(request.signer, request.flaw) };
  if (request.ask === 'tags') return tags(request.signer);
  if (request.ask === 'lines') return lines(request.cheat);
  return timing();
});
