/**
 * Something in the world around the program is not as it must be: a port is taken, a file is missing, a registry does not
 * hold. Never thrown for what a peer sends; that is a counted refusal.
 */
export class WorldError extends Error {
  /** Stable, for programs; the message is one line, for people: what was expected, what came, what to do. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WorldError';
    this.code = code;
  }
}
