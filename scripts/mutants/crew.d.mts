export interface Verdict {
  readonly killed: boolean;
  readonly how: 'test' | 'time' | undefined;
  readonly ms: number;
  readonly error: string | undefined;
}
export class Runner {
  constructor(room: string);
  run(path: string, source: string | undefined, test: string, limitMs: number): Promise<Verdict>;
  close(): void;
}
