import fc from 'fast-check';
import protobuf from 'protobufjs';
import { expect, test } from 'vitest';
import { ProtobufWriter } from './protobufWriter.ts';

const schema = protobuf.parse(`
  syntax = "proto2";
  message Outer {
    optional int64 integer = 1;
    optional fixed64 fixed = 2;
    optional string text = 16;
    repeated Outer inner = 2000;
  }
`).root;
const outer = schema.lookupType('Outer');
const decode = (bytes: Uint8Array): unknown => outer.toObject(outer.decode(bytes), { longs: Number });

test('an independent library decodes every integer, text and nested message', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.maxSafeNat(), fc.string({ unit: 'binary' }), (integer, fixed, text) => {
      const writer = new ProtobufWriter();
      writer.integer(1, integer).begin(2000).text(16, text).begin(2000).end().end().fixed64(2, fixed);
      writer.begin(2000).integer(1, 7).end();
      const inner = [{ text, inner: [{}] }, { integer: 7 }];
      expect(decode(writer.take())).toEqual({ integer, fixed, inner });
    }),
  );
});

test('a message that outgrows its reserved length is complete', () => {
  const text = 'é'.repeat(50_000);
  const writer = new ProtobufWriter();
  writer.begin(2000).begin(2000).text(16, text).end().end();
  expect(decode(writer.take())).toEqual({ inner: [{ inner: [{ text }] }] });
  expect(writer.take().length).toBe(0);
});

test('half of a surrogate pair is written as the replacement character', () => {
  expect(decode(new ProtobufWriter().text(16, 'a\ud800b').take())).toEqual({ text: 'a\ufffdb' });
});
