/** Verifiers of other projects, and their recorded verdicts on the corpus. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fastAggregateVerify, PublicKey, Signature } from '@chainsafe/blst';
import { BitListType, BitVectorType, ByteVectorType, ContainerType, UintBigintType } from '@chainsafe/ssz';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex as hex } from '@noble/hashes/utils.js';
import { contractQuestion, sszQuestion } from './corpus.mjs';
import { deployed } from './evm.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const cache = fileURLToPath(new URL('../../node_modules/.cache/tutti/verifiers/', import.meta.url));

/** The programs that are built here: for each, the language, the build command, and the supported formats. */
export const programs = [
  {
    name: "avalanchego 1.15.0's package warp",
    language: 'go',
    forms: ['avalanche'],
    cwd: `${folder}go`,
    build: ['build', '-o', `${cache}avalanche`, '.'],
    binary: `${cache}avalanche`,
  },
];

/** Builds a program. @returns a line with the reason if the program's language is not installed on this machine. */
export function built({ language, cwd, build, name }) {
  if (spawnSync(language, ['version']).status !== 0)
    return `${name}: expected ${language} on this machine, got none; its recorded verdicts are used`;
  execFileSync(language, build, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  return undefined;
}

/** Returns a program's verdict on each line of its input. */
export function verdictsOf({ binary }, lines) {
  const said = execFileSync(binary, { input: lines.map((line) => `${line}\n`).join(''), maxBuffer: 2 ** 26 });
  return said.toString().trimEnd().split('\n');
}

export const verdictOf = (said) => said.split(':')[0];

/** Messages of avalanchego for this project's codes. @type {Record<string, RegExp>} */
export const avalancheWords = {
  'wrong-network': /wrong networkID/,
  'invalid-bitset': /bitset is invalid/,
  'unknown-validator': /unknown validator/,
  'under-weight': /weight is insufficient/,
  'no-signers': /no public keys/,
  'invalid-signature': /signature is invalid|failed to parse signature|invalid public key/,
  malformed: /insufficient length|trailing buffer/,
};

export const vectorFile = new URL('../vectors/verdicts.json', import.meta.url);

/** Returns the recorded results: a digest of all questions, and the accepted cases by format. */
export const recorded = () => JSON.parse(readFileSync(vectorFile, 'utf8'));

export function digestOf(questions) {
  const lines = questions.flatMap((one) => programs.flatMap(({ forms }) => forms.map((form) => one[form].line)));
  return hex(sha256(new TextEncoder().encode(lines.join('\n'))));
}

/** Returns the contract's verdict on a case in ethereumjs's EVM; `refused` if it does not accept a registry. */
export async function contractVerdict(one, variant, viaIR = true) {
  const { share, members, payload, bits, round, signature } = contractQuestion(one, variant);
  const contract = await deployed(variant, share, undefined, viaIR);
  const registered = await contract.register(members);
  if (!registered.ok || !(await contract.seal())) return 'refused';
  const statement = await contract.statement(7n, payload);
  return (await contract.verify(round, payload, bits, signature(statement))).accepted ? 'accepted' : 'refused';
}

const root = new ByteVectorType(32);
const uint64 = new UintBigintType(8);
const checkpoint = new ContainerType({ epoch: uint64, root });
const attestationType = new ContainerType({
  aggregationBits: new BitListType(131_072),
  data: new ContainerType({
    slot: uint64,
    index: uint64,
    beaconBlockRoot: root,
    source: checkpoint,
    target: checkpoint,
  }),
  signature: new ByteVectorType(96),
  committeeBits: new BitVectorType(64),
});
const syncType = new ContainerType({
  syncCommitteeBits: new BitVectorType(512),
  syncCommitteeSignature: new ByteVectorType(96),
});

/** Returns our verdict and those of the `@chainsafe` libraries; undefined if the format has no such case. */
export function sszVerdict(one) {
  const asked = sszQuestion(one);
  if (asked === undefined) return undefined;
  const read = (type, bytes) => {
    try {
      return type.deserialize(bytes);
    } catch {
      return undefined;
    }
  };
  const attestation = read(attestationType, asked.attestation);
  const sync = read(syncType, asked.sync);
  if (attestation === undefined || sync === undefined)
    return {
      ours: asked.ours,
      verdicts: [attestation, sync].map((value) => (value === undefined ? 'refused' : 'read')),
    };
  const roots = [attestationType.hashTreeRoot(attestation), syncType.hashTreeRoot(sync)].map((bytes) => hex(bytes));
  const votes = bitsOf(attestation.aggregationBits).slice(0, one.secrets.length);
  const places = bitsOf(sync.syncCommitteeBits).slice(0, one.secrets.length);
  const check = (bits, signature) => {
    try {
      const keys = asked.keys.filter((_, member) => bits[member]).map((key) => PublicKey.fromBytes(key, true));
      return fastAggregateVerify(asked.statement, keys, Signature.fromBytes(signature, true)) ? 'accepted' : 'refused';
    } catch {
      return 'refused';
    }
  };
  return {
    ours: asked.ours,
    roots: { theirs: roots, ours: [asked.attestationRoot, asked.syncRoot] },
    verdicts: [check(votes, attestation.signature), check(places, sync.syncCommitteeSignature)],
  };
}

const bitsOf = (array) => Array.from({ length: array.bitLen }, (_, index) => array.get(index));
