import { describe, expect, it } from 'vitest';
import { classifyNodes, linkPresets, validateLinkClasses } from '../../horn/network/nodes.ts';
import {
  aggregateAndProofBytes,
  attestationBytes,
  singleAttestationBytes,
  snappyBitfieldBytes,
} from './messageKinds.ts';

describe('wire bytes', () => {
  it('are a little fewer than SSZ has: a SingleAttestation 240, before it 229 and its bitfield', () => {
    expect(singleAttestationBytes).toBe(229);
    expect(attestationBytes(512, 1)).toBeLessThanOrEqual(229 + 65 + 2);
    expect(attestationBytes(512, 1)).toBeGreaterThan(229);
  });

  it('of an aggregate include three signatures', () => {
    expect(aggregateAndProofBytes(512, 512, 0)).toBeGreaterThan(3 * 96);
    expect(aggregateAndProofBytes(512, 256, 0)).toBeLessThan(3 * 96 + 128 + 8 + 12 + 67);
  });

  it('of a full bitfield compress to a few copies, of a half-full one not at all', () => {
    expect(snappyBitfieldBytes(32_768, 32_768)).toBeLessThan(220);
    expect(snappyBitfieldBytes(32_768, 16_384)).toBe(4101);
  });
});

describe('classifyNodes(classes, validators, order)', () => {
  it('has the exact shares, and gives nodes with more validators the better links', () => {
    const validators = Int32Array.of(5, 1, 100, 0, 50, 2, 2, 2, 2, 2);
    const classes = linkPresets['eip-7870'];
    validateLinkClasses(classes);
    const of = classifyNodes(
      classes,
      validators,
      Int32Array.from({ length: 10 }, (_, node) => node),
    );
    expect(of.filter((index) => index === 1)).toHaveLength(4);
    expect([of[2], of[4], of[0], of[3]]).toEqual([1, 1, 1, 0]);
  });
});
