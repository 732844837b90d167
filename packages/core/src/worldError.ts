/**
 * Error for a fault outside the program: for example, a port is taken, a file is missing, or a registry is invalid. It
 * is never thrown for a peer's input, which is rejected and counted instead.
 */
export class WorldError extends Error {
  /**
   * Stable code for programs. The message is one line for people: expected value, actual value, and corrective action.
   */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WorldError';
    this.code = code;
  }
}

/** Returns a value in the form in which messages show it: JSON, shortened, on one line. */
export function shownValue(value: unknown): string {
  const text = jsonOf(value);
  return text.length > 60 ? `${text.slice(0, 57)}... (${text.length} characters)` : text;
}

/** Returns the JSON of any value, or its type if JSON cannot represent it or it is nested too deep. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing';
  } catch {
    return `a value of type ${typeof value}`;
  }
}
