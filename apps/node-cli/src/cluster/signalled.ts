/** A promise with the functions that settle it. */
export interface Signalled<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Creates a promise that other code settles. The code that waits for the promise handles a rejection; no other code
 * needs to.
 */
export function signalled<T = void>(): Signalled<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
