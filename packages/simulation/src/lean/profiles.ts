import type { LeanProfile } from './profile.ts';

/*
 * The profiles that can be named. They are data, read as a file's are: `tutti lean profile NAME` prints one, to be
 * changed and given back with --profile.
 *
 * The prover's fit to leanBench (June 2026, Xeon 8581C; results 13-25-10Z, 13-26-29Z, 12-01-22Z) is ours. A merge costs
 * 0.2 children beside its own: a fit without that is 12 % off at eight children.
 */

const times = {
  slotMs: 4000,
  intervalMs: 800,
  attestMs: 800,
  latestAttestMs: 1200,
  earlyMs: 1000,
  aggregateMs: 1600,
  sessionMs: 800,
  safeTargetMs: 2400,
  knownMs: 3200,
};
const limits = { blockMessages: 8, proverChildren: 16, clientChildren: 2, targetLookback: 3 };
const proof = { leafKiB: 180, perVoteKiB: 0.0475, mergedKiB: 188, perChildKiB: 4.5, mostKiB: 512 };
const block = { fixedMs: 350, perMessageMs: 1200 };
const leanMultisig = {
  perVoteMs: 1.43,
  perVoteCoreMs: 14.3,
  perChildMs: 236,
  perChildCoreMs: 1727,
  mergeInChildren: 0.2,
  fixedMs: 0,
  floorMs: 300,
};

export const leanProfiles: Readonly<Record<string, LeanProfile>> = {
  'lean-2026-06': {
    name: 'lean-2026-06',
    source:
      "leanSpec@43246bd6: 2536-byte signatures, 4096 validators; leanBench 2026-06-12, branch devnet4: the leanSig circuit, 3.4 times as long for a vote, 1.2 for a merge. Ours: 16 subnets, 16 cores, verifying a proof in 30 ms. The block's merge: gean#442, a slow machine's",
    validators: 4096,
    subnets: 16,
    times,
    limits,
    votes: { bytes: 2676, dataBytes: 128 },
    circuit: 'leanSig',
    cores: 16,
    prover: {
      perVoteMs: 4.85,
      perVoteCoreMs: 48.5,
      perChildMs: 277,
      perChildCoreMs: 2031,
      mergeInChildren: 0.2,
      fixedMs: 0,
      floorMs: 500,
    },
    proof,
    verifier: { proofMs: 30, whileProving: 1.77, voteMs: 0.72 },
    block,
  },
  'lean-2026-09': {
    name: 'lean-2026-09',
    source:
      "leanVM of September 2026 with 1208-byte signatures (cryptography-specs#29, gean#441); leanBench 2026-06-18 for the prover, leanMultisig's proven regime at rate 1/4. Ours: 16 subnets, 16 cores, verifying a proof in 30 ms. The block's merge: gean#442, a slow machine's",
    validators: 4096,
    subnets: 16,
    times,
    limits,
    votes: { bytes: 1348, dataBytes: 128 },
    circuit: 'leanMultisig',
    cores: 16,
    prover: leanMultisig,
    proof,
    verifier: { proofMs: 30, whileProving: 1.77, voteMs: 0.36 },
    block,
  },
  'eip-8292': {
    name: 'eip-8292',
    source:
      "EIP-8292@f767a1e8: 1000 signatures in 11.0, 3.7 and 2.6 s on 2, 8 and 16 cores, proofs of 185 to 230 KiB, 8 messages a block, signatures of 1.17 KiB. It gives no times of merges and no subnet count: these are lean-2026-09's. Ours: 8 cores",
    validators: 4096,
    subnets: 16,
    times,
    limits,
    votes: { bytes: 1311, dataBytes: 128 },
    circuit: 'leanMultisig',
    cores: 8,
    prover: { ...leanMultisig, perVoteMs: 1.4, perVoteCoreMs: 19.2 },
    proof,
    verifier: { proofMs: 30, whileProving: 1.77, voteMs: 0.36 },
    block,
  },
};

export const leanProfileNames = Object.keys(leanProfiles);
