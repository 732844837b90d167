/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Which curve makes the signatures: `wasm`, the default, or `noble`. */
  readonly VITE_TUTTI_BLS?: string;
}

/** The readable Handel, with a call before each statement of its rules. */
declare module 'virtual:traced-handel' {
  /** Creates a node; see `readableHandel` of `@tutti/core`. */
  export const readableHandel: typeof import('@tutti/core').readableHandel;
  /** Sets what hears which mark runs, and for which sender's contribution on which level, where both are known. */
  export function listenToMarks(to: (mark: number, level?: number, sender?: number) => void): void;
}

/** The source of the readable Handel. */
declare module 'virtual:handel-text' {
  export const lines: readonly string[];
  /** First and last line of each mark, from 0, and whether it only asks a question. */
  export const marks: readonly (readonly [first: number, last: number, isTest: boolean])[];
}
