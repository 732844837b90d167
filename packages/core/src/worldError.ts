/**
 * Error for a fault outside the program: a port is taken, a file is missing, a registry is invalid. It is never thrown
 * for a peer's input; such input is rejected and counted.
 */
export class WorldError extends Error {
  /** Stable code for programs. The message is one line for people: expected value, actual value, and what to do. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WorldError';
    this.code = code;
  }
}

/** Returns a value as a message shows it: JSON, shortened, on one line. */
export function shownValue(value: unknown): string {
  const text = jsonOf(value);
  return text.length > 60 ? `${text.slice(0, 57)}... (${text.length} characters)` : text;
}

/** Returns the JSON of any value. If JSON cannot represent it, or it is nested too deep, returns its type. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing';
  } catch {
    return `a value of type ${typeof value}`;
  }
}
