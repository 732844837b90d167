/** Error for a curve library that could not be loaded. */
export class BlsLoadError extends Error {
  override readonly name = 'BlsLoadError';

  /**
   * @param code - `kernel-missing`: the .wasm file, its glue, or the native library cannot be read. `kernel-rejected`:
   * the runtime or the page's policy does not allow the kernel, the library lacks the variant or arithmetic, or the
   * kernel failed its self-test. `kernel-unknown`: no engine has that name.
   */
  constructor(
    readonly code: 'kernel-missing' | 'kernel-rejected' | 'kernel-unknown',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Returns the message of an error as one line. */
export function causeOf(cause: unknown): string {
  const { message } = Object(cause) as { readonly message?: unknown };
  return typeof message === 'string' ? message.replaceAll(/\s+/g, ' ').trim() : '';
}

/** Advice at the end of the error message for an unavailable engine. */
export const otherEngines = "choose the engine 'wasm' or 'noble'";
