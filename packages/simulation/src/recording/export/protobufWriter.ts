import { ByteWriter } from '../byteWriter.ts';

/** Wire types of fields. */
const wire = { varint: 0, fixed64: 1, bytes: 2 } as const;

/**
 * Writes protobuf messages, limited to the features that a trace needs. This package has no dependencies, and
 * maintained protobuf writers were no faster in a measurement. The tests decode the writer's output with an independent
 * library.
 */
export class ProtobufWriter {
  /** The message being written, with the nested messages that are still open in it. */
  readonly #messages = [new ByteWriter()];
  readonly #fields: number[] = [];

  /** Opens a nested message as a field of the current one. */
  begin(field: number): this {
    this.#fields.push(field);
    if (this.#messages.length === this.#fields.length) this.#messages.push(new ByteWriter());
    return this;
  }

  /** Closes the most recently opened message. */
  end(): this {
    const inner = this.#messages[this.#fields.length]!.take();
    return this.#bytes(this.#fields.pop()!, inner);
  }

  /** Writes an integer. @param value a safe integer; a negative value takes ten bytes, as any int64 does. */
  integer(field: number, value: number): this {
    const out = this.#tag(field, wire.varint);
    if (value >= 0) out.varint(value);
    else {
      let left = BigInt.asUintN(64, BigInt(value));
      for (; left > 127n; left >>= 7n) out.byte(Number(left & 127n) | 128);
      out.byte(Number(left));
    }
    return this;
  }

  /** Writes a number as 8 bytes. @param value an integer from 0 to 2^53 - 1. */
  fixed64(field: number, value: number): this {
    const out = this.#tag(field, wire.fixed64);
    out.uint32(value % 2 ** 32);
    out.uint32(Math.floor(value / 2 ** 32));
    return this;
  }

  text(field: number, text: string): this {
    return this.#bytes(field, utf8(text));
  }

  /** Returns the bytes written since the last call. No message may be open when this function is called. */
  take(): Uint8Array<ArrayBuffer> {
    return this.#messages[0]!.take().slice();
  }

  #tag(field: number, type: number): ByteWriter {
    const out = this.#messages[this.#fields.length]!;
    out.varint(field * 8 + type);
    return out;
  }

  #bytes(field: number, bytes: Uint8Array): this {
    const out = this.#tag(field, wire.bytes);
    out.varint(bytes.length);
    out.append(bytes);
    return this;
  }
}

/** High bits of a character's first byte, by the number of bytes that follow. */
const utf8Lead = [0, 0xc0, 0xe0, 0xf0];

/**
 * Returns a text in UTF-8. This package uses no platform API, such as TextEncoder. Like TextEncoder, this function
 * replaces an unpaired surrogate with U+FFFD.
 */
function utf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0)!;
    const code = point >= 0xd800 && point < 0xe000 ? 0xfffd : point;
    const more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    bytes.push(utf8Lead[more]! | (code >> (6 * more)));
    for (let left = more - 1; left >= 0; left--) bytes.push(0x80 | ((code >> (6 * left)) & 0x3f));
  }
  return Uint8Array.from(bytes);
}
