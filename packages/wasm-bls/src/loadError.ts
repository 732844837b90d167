/**
 * Error for a curve library that could not be loaded because of the environment: a file is missing, a fetch was
 * rejected, or the runtime has no WebAssembly.
 */
export class BlsLoadError extends Error {
  override readonly name = 'BlsLoadError';

  /**
   * @param code - `kernel-missing`: the .wasm file or its glue cannot be read. `kernel-rejected`: the runtime does not
   * compile or start the kernel, or the page's policy forbids it. `kernel-unknown`: no kernel has that name.
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
