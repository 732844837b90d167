export interface MutatedSource {
  readonly path: string;
  readonly tests: readonly string[];
}
export function roomOf(test: string): string;
export const folderNames: readonly string[];
export function sourcesOf(folder: string): MutatedSource[];
