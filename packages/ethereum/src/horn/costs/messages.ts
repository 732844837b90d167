import { type HornParameters, hornSizes } from '@tutti/core/horn';

/** What goes over each layer's topics, in bytes. */
export interface HornMessageBytes {
  readonly vote: number;
  readonly aggregate: number;
  readonly collection: number;
}

/**
 * Bitfields and signatures, as the post counts them: a vote has its own signature, an aggregate or a collection the
 * aggregate one and its sender's (Horn: "A strawman proposal"). Attestation data is left out, as in the post.
 */
export function hornMessageBytes(parameters: HornParameters): HornMessageBytes {
  const { committee, subcommittee } = hornSizes(parameters);
  const bytes = (members: number, signatures: number): number =>
    Math.ceil(members / 8) + signatures * parameters.signatureBytes;
  return { vote: bytes(subcommittee, 1), aggregate: bytes(subcommittee, 2), collection: bytes(committee, 2) };
}
