import type { LeanProof } from '../world.ts';

/** The nodes' verifiers, which take one proof after the other; and what has come to whom. */
export class Verifiers {
  /** By node: proofs that it has verified or made, and when. */
  readonly verified: { readonly proof: LeanProof; readonly atUs: number }[][];
  /** By node, how long it has verified. */
  readonly busyUs: Float64Array;
  /** How long each verification took. */
  readonly tookUs: number[] = [];
  readonly #freeUs: Float64Array;
  /** By proof and node, when it came; NaN before. */
  readonly #cameUs: Float64Array[] = [];

  constructor(nodes: number) {
    this.verified = Array.from({ length: nodes }, () => []);
    this.busyUs = new Float64Array(nodes);
    this.#freeUs = new Float64Array(nodes);
  }

  /** Takes up a proof that is new. */
  add(): void {
    this.#cameUs.push(new Float64Array(this.verified.length).fill(Number.NaN));
  }

  /** Whether the proof had come to a node by a time. */
  hadCome({ id }: LeanProof, node: number, atUs: number): boolean {
    return this.#cameUs[id]![node]! <= atUs;
  }

  /** A proof comes for the first time: @returns when it is verified. */
  receive(proof: LeanProof, node: number, nowUs: number, tookUs: number): number {
    this.#cameUs[proof.id]![node] = nowUs;
    const doneUs = Math.max(nowUs, this.#freeUs[node]!) + tookUs;
    this.#freeUs[node] = doneUs;
    this.busyUs[node]! += tookUs;
    this.tookUs.push(tookUs);
    return Math.ceil(doneUs);
  }

  /** The node has made the proof, or found it valid. */
  keep(proof: LeanProof, node: number, nowUs: number): void {
    if (!this.hadCome(proof, node, nowUs)) this.#cameUs[proof.id]![node] = nowUs;
    this.verified[node]!.push({ proof, atUs: nowUs });
  }
}
