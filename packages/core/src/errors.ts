/**
 * Returns the message of an error that the caller has caused: the name of the value, the expected value and the actual
 * value. The message shows texts and numbers, so the value must not be secret.
 *
 * @example expected('share', 'a number from 0 to 0.9', 1) // "share: expected a number from 0 to 0.9, got 1"
 */
export function expected(label: string, what: string, got: unknown): string {
  return `${label}: expected ${what}, got ${shown(got)}`;
}

function shown(got: unknown): string {
  if (typeof got === 'string') return JSON.stringify(got);
  if (typeof got === 'function') return 'a function';
  if (Array.isArray(got)) return `an array of ${got.length}`;
  return typeof got === 'object' && got !== null ? 'an object' : String(got);
}

/**
 * Returns the text. If the text is longer than `maxLength` characters, it is cut so that it ends in "..." within that
 * length.
 */
export function shortened(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 3)}...` : text;
}

/** Checks that a value is an integer in [min, max]. @throws RangeError for any other value. */
export function requireInteger(label: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(expected(label, `an integer from ${min} to ${max}`, value));
  }
}

/** Checks that a value is a finite number in [min, max]. @throws RangeError for any other value. */
export function requireNumber(label: string, value: number, min: number, max: number): void {
  if (!Number.isFinite(value) || value < min || value > max) {
    throw new RangeError(expected(label, `a number from ${min} to ${max}`, value));
  }
}

/** Returns whether a value is an object and not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns whether a value is a typed array with this class name. The function reads the tag, because an array from
 * another realm, such as a frame, is not an instance of this realm's class.
 */
export function isTyped(value: unknown, name: string): boolean {
  return ArrayBuffer.isView(value) && (value as Uint8Array)[Symbol.toStringTag] === name;
}

/** Returns whether a value is a Uint8Array from any realm. */
export function isBytes(value: unknown): value is Uint8Array {
  return isTyped(value, 'Uint8Array');
}

/**
 * Error for a fault outside the program: for example, a port is taken, a file is missing, or a registry is invalid. No
 * code throws this error for a peer's input, which is rejected and counted instead.
 */
export class EnvironmentError extends Error {
  /**
   * Stable code for programs. The message is one line for people: expected value, actual value, and corrective action.
   */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EnvironmentError';
    this.code = code;
  }
}

/**
 * Returns a value in the form that messages show: its JSON on one line. JSON of more than 60 characters is cut to 57,
 * and its length follows. The text is `nothing` for undefined, and names the type of a value that JSON cannot represent
 * or that is nested too deeply.
 */
export function shownValue(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {}
  if (text === undefined) return value === undefined ? 'nothing' : `a value of type ${typeof value}`;
  return text.length > 60 ? `${text.slice(0, 57)}... (${text.length} characters)` : text;
}
