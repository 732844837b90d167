export interface Block {
  readonly page: string;
  readonly name: string;
  readonly whole: string;
  readonly body: string;
  readonly spec: string;
  readonly isLong: boolean;
  readonly runs: string | undefined;
  readonly words: string | undefined;
}
export interface CommandResult {
  readonly digest: string;
  readonly output: string;
}
export function blocksOf(page: string, text: string): Block[];
export function commandsOf(block: Block): string[];
export function rendered(block: Block, results: ReadonlyMap<string, CommandResult>): string;
export function wordsOf(body: string): string;
