import type { Bls } from '../src/index.ts';
export function drawing(seed: number): () => number;
export function fuzz(options: {
  kernel: Bls;
  noble: Bls;
  field: (draw: () => number) => void;
  inputs: number;
  seed: number;
  compared: number;
}): Record<string, number>;
