/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Library that creates the signatures: `noble` for noble-curves; otherwise the WebAssembly kernel. */
  readonly VITE_TUTTI_BLS?: string;
}

/** Readable Handel with a call before each statement of its rules. */
declare module 'virtual:traced-handel' {
  /** Creates a node; see `readableHandel` of `@tutti/core`. */
  export const readableHandel: typeof import('@tutti/core').readableHandel;
  /**
   * Sets the listener that is called when a marked statement is executed. The listener also receives the level and the
   * sender of the contribution, if both are known.
   */
  export function listenToMarks(to: (mark: number, level?: number, sender?: number) => void): void;
}

/** Source text of the readable Handel. */
declare module 'virtual:handel-text' {
  export const lines: readonly string[];
  /** First and last line of each marked statement, counted from 0, and whether the statement is a condition. */
  export const marks: readonly (readonly [first: number, last: number, isTest: boolean])[];
}
