export interface MutatedSource {
  readonly path: string;
  readonly room: string;
  readonly tests: readonly string[];
}
export const folderNames: readonly string[];
export function sourcesOf(folder: string): MutatedSource[];
