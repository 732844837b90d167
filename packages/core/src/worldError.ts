/**
 * Error for what is wrong outside the program: a port is taken, a file is missing, a registry is invalid. It is never
 * thrown for what a peer sends, which is a counted refusal.
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

/** Returns a value as a message shows it: JSON, short and on one line. */
export function shownValue(value: unknown): string {
  const text = jsonOf(value);
  return text.length > 60 ? `${text.slice(0, 57)}... (${text.length} characters)` : text;
}

/** JSON of any value: one that has none, or is nested too deep for it, is named by its type. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing';
  } catch {
    return `a value of type ${typeof value}`;
  }
}
