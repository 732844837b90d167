/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Curve library for signatures: `wasm`, the default, or `noble`. */
  readonly VITE_TUTTI_BLS?: string;
}

/** Readable Handel with a call before each statement of its rules. */
declare module 'virtual:traced-handel' {
  /** Creates a node; see `readableHandel` of `@tutti/core`. */
  export const readableHandel: typeof import('@tutti/core').readableHandel;
  /**
   * Sets the listener for executed marks. It also receives the level and the sender of the contribution, if both are
   * known.
   */
  export function listenToMarks(to: (mark: number, level?: number, sender?: number) => void): void;
}

/** Source text of the readable Handel. */
declare module 'virtual:handel-text' {
  export const lines: readonly string[];
  /** First and last line of each mark, counted from 0, and whether it is a condition. */
  export const marks: readonly (readonly [first: number, last: number, isTest: boolean])[];
}
