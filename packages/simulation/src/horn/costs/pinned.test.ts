import { defaultHornParameters } from '@tutti/core/horn';
import { expect, it } from 'vitest';
import { digestOf, drawn, refusalsOf } from '../../../../../tests/digests.ts';
import { batchedAdditionMultiplications, mixedAdditionMultiplications } from './batchedAddition.ts';
import { attestationBytes, blockBytes, dayBytes, statusQuoAttestationBytes } from './block.ts';
import { keySum } from './keySum.ts';
import { batchedMs, machineNames, machines } from './machines.ts';
import { hornMessageBytes } from './messages.ts';
import { mergeableAggregates, multiplicityBytes, multiplicitySumAdditions } from './multiplicities.ts';
import { succinctProofBytes } from './succinctProof.ts';
import { keysUs, verificationUs } from './verification.ts';

it('what Horn costs is what it was, for machines, sizes and parameters of every kind', () => {
  const pins = drawn(120, (draw) => {
    const [committees, subcommittees] = [draw.integer(1, 5), draw.integer(1, 20)];
    const parameters = {
      ...defaultHornParameters,
      ...{ committees, subcommittees, validators: committees * subcommittees * draw.integer(1, 50) },
      ...{ blockAttestations: draw.integer(1, 9), attestationSubcommittees: draw.integer(1, 24) },
      ...{
        blockCollections: draw.integer(1, 9),
        multiplicityBits: draw.integer(1, 6),
        signatureBytes: draw.integer(9, 99),
      },
      ...{
        publicKeyBytes: draw.integer(9, 99),
        scalarBytes: draw.integer(9, 40),
        attestationDataBytes: draw.integer(9, 200),
      },
    };
    const [members, bits] = [draw.integer(1, 70), draw.integer(1, 6)];
    const weight = draw.integer(0, members);
    const costs = {
      verifyMs: draw.number(0, 3),
      additionNs: draw.number(0, 900),
      keySums: draw.one(['naive', 'subtracting'] as const),
    };
    return [
      [attestationBytes(members, parameters), statusQuoAttestationBytes(parameters), hornMessageBytes(parameters)],
      [blockBytes('horn', parameters), blockBytes('status-quo', parameters), dayBytes(members, draw.number(1, 30))],
      [keySum(members, draw.integer(0, 100)), verificationUs(members, weight, costs)],
      [keysUs(members, weight, costs.keySums, costs.additionNs), succinctProofBytes(members, parameters)],
      [mergeableAggregates(bits), multiplicityBytes(members, bits), multiplicitySumAdditions(members, bits)],
      [batchedMs(machines[draw.one(machineNames)], draw.integer(1, 9)), batchedAdditionMultiplications(members)],
    ];
  });
  expect([digestOf(machines), mixedAdditionMultiplications, digestOf(pins)]).toMatchInlineSnapshot(`
    [
      "89a5f8804b9e",
      11,
      "20826f3d51a2",
    ]
  `);
});

it('arguments of another kind are refused with the words they were', () => {
  const costs = { verifyMs: 1, additionNs: 100, keySums: 'naive' as const };
  const words = refusalsOf({
    batchedAdditionMultiplications: [batchedAdditionMultiplications, 9],
    blockBytes: [blockBytes, 'horn', defaultHornParameters],
    dayBytes: [dayBytes, 9, 12],
    keySum: [keySum, 9, 50],
    batchedMs: [batchedMs, machines['epyc-native'], 2],
    hornMessageBytes: [hornMessageBytes, defaultHornParameters],
    attestationBytes: [attestationBytes, 9, defaultHornParameters],
    statusQuoAttestationBytes: [statusQuoAttestationBytes, defaultHornParameters],
    multiplicityBytes: [multiplicityBytes, 9, 4],
    mergeableAggregates: [mergeableAggregates, 4],
    multiplicitySumAdditions: [multiplicitySumAdditions, 9, 4],
    succinctProofBytes: [succinctProofBytes, 9, defaultHornParameters],
    verificationUs: [verificationUs, 9, 4, costs],
    keysUs: [keysUs, 9, 4, 'naive', 100],
  });
  expect([words.length, digestOf(words)]).toMatchInlineSnapshot(`
    [
      28,
      "535ef58d954c",
    ]
  `);
});
