/**
 * The curve could not be loaded: the world's fault (a file missing, a fetch refused, a runtime without WebAssembly).
 */
export class BlsLoadError extends Error {
  override readonly name = 'BlsLoadError';

  /**
   * @param code - `kernel-missing`: the .wasm or its glue cannot be read. `kernel-rejected`: the runtime will not
   *   compile or start it, or its page's policy forbids to. `kernel-unknown`: no kernel of that name.
   */
  constructor(
    readonly code: 'kernel-missing' | 'kernel-rejected' | 'kernel-unknown',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What an error says, on one line. */
export function causeOf(cause: unknown): string {
  const { message } = Object(cause) as { readonly message?: unknown };
  return typeof message === 'string' ? message.replaceAll(/\s+/g, ' ').trim() : '';
}
