import { describe, expect, it } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { TestDisk } from '../../test/testDisk.ts';
import { maxHeights } from './signedLog.ts';
import { openSignedLog, type SignedLogFile } from './signedLogFile.ts';

const path = '/log/signed';
const registry = new Uint8Array(32).fill(0xcd);
const keyOf = (name: string): Uint8Array => new Uint8Array(48).fill(name.charCodeAt(0));
const messageOf = (name: string): Uint8Array => new Uint8Array(32).fill(name.charCodeAt(0));
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const key = keyOf('a');

/** Parses an entry: `a 10 11:x (2)` is key a, slot 10 without root, slot 11 with root x, two attestations. */
function entryOf(text: string) {
  const [name, ...parts] = text.trim().split(' ');
  const count = Number(/^\((\d+)\)$/.exec(parts.at(-1) ?? '')?.[1] ?? 0);
  const blocks = parts
    .filter((part) => !part.startsWith('('))
    .map((part) => {
      const [slot, root] = part.split(':');
      return { slot, ...(root !== undefined && { signing_root: `0x${hex(messageOf(root))}` }) };
    });
  const attestations = Array.from({ length: count }, () => ({ source_epoch: '0', target_epoch: '1' }));
  return { pubkey: `0x${hex(keyOf(name!))}`, signed_blocks: blocks, signed_attestations: attestations };
}

/** Returns the file for entries in this notation, separated by semicolons. */
function fileOf(text: string, metadata: object = {}): string {
  return JSON.stringify({
    metadata: { interchange_format_version: '5', genesis_validators_root: `0x${hex(registry)}`, ...metadata },
    data: text.split(';').map(entryOf),
  });
}

const newLog = (): SignedLogFile => openSignedLog(path, new TestDisk().files());
const take = (log: SignedLogFile, text: string, of = key) => log.importInterchange(fileOf(text), of, registry);
/** Returns a log into which interchange files in this notation were imported. */
function imported(...files: readonly string[]): SignedLogFile {
  const log = newLog();
  for (const file of files) take(log, file);
  return log;
}

/** Tries to sign a message for a slot. Returns `10+` if slot 10 is signed, `10-` if it is rejected. */
function attempt(log: SignedLogFile, slot: string | number, message: string): string {
  try {
    log.record({ height: BigInt(slot), message: messageOf(message) });
    return `${slot}+`;
  } catch (error) {
    expect((error as { code?: string }).code).toBe('already-signed');
    return `${slot}-`;
  }
}
const attempts = (log: SignedLogFile, slots: readonly (string | number)[], message: string): string =>
  slots.map((slot) => attempt(log, slot, message)).join(' ');

/**
 * Cases of the public suite for EIP-3076, in this project's notation: the imported file, followed by the slots that may
 * or may not be signed. Slots without a named message use message x. A log has no rule for attestations, so only the
 * number of attestations counts. Where the suite allows a choice between signers that store all heights and signers
 * that store only the latest height, this table contains this project's choice.
 */
const suite: readonly (readonly [title: string, ...steps: (readonly [file: string, signed: string])[]])[] = [
  ['one key in two entries', ['a 10 11 (1); a 12 13 (1)', 'a10- a13- a14+']],
  ['one key in two entries, attestations that contradict each other', ['a (1); a (1)', '']],
  ['one key in two entries, one slot twice', ['a 10 (1); a 10 (1)', 'a10- a11+']],
  ['two keys twice', ['a 2 4 6 (2); b 8 10 12 (2)', ''], ['a 2 4 6 (2); b 8 10 12 (2)', 'a0- a3- a7+ a3- b0-']],
  [
    'a second file that is older for two of three keys',
    ['a 100 (1); b 101 (1); c 4 (1)', ''],
    ['a 2 (1); b 3 (1); c 102 (1)', 'a100- b101- c102- a103+ b104+ c105+'],
  ],
  [
    'three files that share keys',
    ['a 2 4 6 (2); b 8 10 12 (2)', ''],
    ['a 2 4 6 (2); c 8 10 12 (2)', ''],
    ['b 8 10 12 (2); c 8 10 12 (2)', ''],
  ],
  ['a second file around the first', ['a 40', ''], ['a 20 50', 'a20- a50-']],
  ['attestations, the first around the second', ['a (1)', ''], ['a (1)', '']],
  ['own slots, then a file with one of them', ['a 0', 'a10+ a20+ a30+'], ['a 20', 'a29+']],
  ['attestations, the second around the first', ['a (1)', ''], ['a (1)', '']],
  ['attestations in two files, the later first', ['a (1)', ''], ['a (1)', '']],
  ['a second file that is older', ['a 40', ''], ['a 20', 'a20-']],
  ['a gap between two files', ['a 40 (1)', ''], ['a 50 (1)', 'a41- a45- a49- a50- a51+']],
  [
    'three keys with blocks and attestations',
    ['a 10 15 20 (5); b 3 4 100 (5); c 10 15 20 (3)', 'a9- a10- a21+ a11- b2- b3- b0- b101+ c9- c10- c22+'],
  ],
  ['three keys with the same slots', ['a 1:x 2:x 3:x; b 1:y 3:y; c 1:z 2:z', '']],
  ['an attestation of epoch 0', ['a (1)', '']],
  ['a file, and nothing signed', ['a 22 (1)', '']],
  ['three attempts at one slot', ['a 15 16 17', 'a16:x- a16:y- a16:z-']],
  ['blocks with a gap', ['a 2 3 10 1200 (3)', 'a1- a2- a3- a10- a1200- a4- a256- a1201+']],
  ['attestations in another order', ['a (2)', '']],
  ['blocks in another order', ['a 6 5', 'a5- a6- a7+']],
  ['an attestation again', ['a (1)', '']],
  ['blocks again', ['a 15:x 16:y 17:z', 'a15:x+ a16:y+ a17:z+ a15:u- a15:v- a16:x- a17:x- a18:x+ a14:z-']],
  ['one attestation', ['a (1)', '']],
  ['one block', ['a 32', 'a32- a33+ a31- a1-']],
  ['one block and one attestation', ['a 32 (1)', 'a32- a33+ a31- a1-']],
  ['one block with a root, and one attestation', ['a 19:x (1)', '']],
  ['two attestations of one target', ['a (2)', '']],
  ['an attestation inside another', ['a (2)', '']],
  ['an attestation around another', ['a (2)', '']],
  ['two blocks of one slot', ['a 10:x 10:y', '']],
  ['two blocks of one slot without roots', ['a 10 10', '']],
  ['a source over its target', ['a (1)', '']],
  ['a source over its target, and another attestation', ['a (2)', '']],
  ['a source over its target, inside', ['a (1)', '']],
  ['a source over its target, around', ['a (1)', '']],
  ['two blocks without roots', ['a 10 20', 'a20-']],
];

describe('an interchange file', () => {
  it.each(suite.map(([title, ...steps]) => ({ title, steps })))('equals the public suite: $title', ({ steps }) => {
    const logs = new Map<string, SignedLogFile>();
    const logOf = (name: string): SignedLogFile => logs.get(name) ?? logs.set(name, newLog()).get(name)!;
    for (const [file, wanted] of steps) {
      for (const name of new Set(file.split(';').map((entry) => entry.trim()[0]!))) {
        const entries = file
          .split(';')
          .map(entryOf)
          .filter(({ pubkey }) => pubkey === `0x${hex(keyOf(name))}`);
        expect(take(logOf(name), file, keyOf(name))).toMatchObject({
          taken: entries.reduce((sum, entry) => sum + entry.signed_blocks.length, 0),
          attestations: entries.reduce((sum, entry) => sum + entry.signed_attestations.length, 0),
        });
      }
      const done = wanted.split(' ').map((one) => {
        const [, name, slot, root = 'x', mark = ''] = /^([a-z])(\d+)(?::(\w))?([+-])$/.exec(one) ?? [];
        return slot === undefined ? one : one.replace(mark, attempt(logOf(name!), slot, root).at(-1)!);
      });
      expect(done.join(' ')).toBe(wanted);
    }
  });

  it('equals the public suite for another registry', () => {
    const file = fileOf('a', { genesis_validators_root: `0x${'00'.repeat(32)}` });
    expect(() => newLog().importInterchange(file, key, registry)).toThrow(
      expect.objectContaining({
        code: 'interchange-of-another',
        message: `interchange: expected what was signed for registry 0x${hex(registry)}, got that for 0x${'00'.repeat(32)}`,
      }),
    );
    expect(suite).toHaveLength(37);
  });

  it('closes all slots up to its greatest slot, except for its own messages', () => {
    const log = imported('a 10:x 20:y 15');
    expect(attempts(log, [0, 9, 10, 11, 15, 19, 20], 'z')).toBe('0- 9- 10- 11- 15- 19- 20-');
    expect([attempt(log, 10, 'x'), attempt(log, 20, 'y'), attempt(log, 15, 'x')]).toEqual(['10+', '20+', '15-']);
    expect(attempts(log, [21, 2n ** 64n - 1n].map(String), 'z')).toBe('21+ 18446744073709551615+');
  });

  it('with two messages of one slot is accepted, and neither message is signed', () => {
    const log = newLog();
    expect(take(log, 'a 10:x 10:y 20:z')).toEqual({ taken: 3, conflicts: 1, attestations: 0, watermark: 20n });
    expect([attempt(log, 10, 'x'), attempt(log, 10, 'y'), attempt(log, 20, 'z')]).toEqual(['10-', '10-', '20+']);
    expect(attempts(log, [15, 20, 21], 'u')).toBe('15- 20- 21+');
    for (const [file, conflicts] of [
      ['a 10:x 10:x', 0],
      ['a 10 10', 0],
      ['a 10:x 10', 1],
      ['a 10 10:x', 1],
      ['a 10:x 10:y 10:x', 1],
      ['a 10:x; a 10:y', 1],
      ['a 10:x 10:y 11:x 11:y', 2],
    ] as const)
      expect(take(newLog(), file)).toMatchObject({ conflicts });
  });

  it('that contradicts the log is accepted, and neither message is signed', () => {
    for (const [file, conflicts, again] of [
      ['a 10:y 20:z', 1, '10-'],
      ['a 10 20:z', 1, '10-'],
      ['a 10:x 20:z', 0, '10+'],
    ] as const) {
      const log = newLog();
      log.record({ height: 10n, message: messageOf('x') });
      log.record({ height: 30n, message: messageOf('x') });
      expect(take(log, file)).toMatchObject({ conflicts });
      expect(attempt(log, 10, 'x')).toBe(again);
      expect(attempts(log, [10, 15, 20, 30], 'u')).toBe('10- 15- 20- 30-');
      expect([attempt(log, 30, 'x'), attempt(log, 25, 'u')]).toEqual(['30+', '25+']);
    }
  });

  it('raises the watermark, and never lowers it', () => {
    const log = imported('a 100:x', 'a 90:y 50');
    expect(attempts(log, [90, 99, 100], 'z')).toBe('90- 99- 100-');
    // The import did not state the message signed at 90, so it may have been a different message.
    expect(attempt(log, 90, 'y')).toBe('90-');
    expect([attempt(log, 100, 'x'), attempt(log, 101, 'z')]).toEqual(['100+', '101+']);
    take(log, 'a 90:y 200:z');
    expect(attempts(log, [150, 200], 'u')).toBe('150- 200-');
    expect(attempt(log, 101, 'z')).toBe('101+');
  });

  it('without this key is refused, and nothing is closed', () => {
    const log = newLog();
    const noEntries = JSON.stringify({ ...JSON.parse(fileOf('a')), data: [] });
    for (const file of [fileOf('b 20:x'), noEntries])
      expect(() => log.importInterchange(file, key, registry)).toThrow(
        expect.objectContaining({ code: 'interchange-of-another', message: expect.stringContaining(hex(key)) }),
      );
    for (const near of [key.with(0, 0), key.with(47, 0), key.subarray(1)])
      expect(() => take(log, 'a 20:x', near)).toThrow(expect.objectContaining({ code: 'interchange-of-another' }));
    expect(attempt(log, 20, 'u')).toBe('20+');
  });

  it('may have upper-case digits, and keys, roots and registry without 0x', () => {
    const plain = JSON.parse(fileOf('a 10:k 20:x'));
    const log = newLog();
    const upper = (text: string): string => text.slice(2).toUpperCase();
    plain.metadata.genesis_validators_root = upper(plain.metadata.genesis_validators_root);
    plain.data[0].pubkey = upper(plain.data[0].pubkey);
    plain.data[0].signed_blocks[0].signing_root = upper(plain.data[0].signed_blocks[0].signing_root);
    plain.data[0].signed_blocks[1].signing_root = `0X${upper(plain.data[0].signed_blocks[1].signing_root)}`;
    expect(log.importInterchange(JSON.stringify(plain), key, registry).taken).toBe(2);
    expect([attempt(log, 10, 'k'), attempt(log, 20, 'x'), attempt(log, 20, 'y')]).toEqual(['10+', '20+', '20-']);
  });

  it('a file with an error anywhere, even in the data of another key, is refused with the location of the error, and nothing is imported', () => {
    const changes: readonly (readonly [place: string, change: (file: ReturnType<typeof JSON.parse>) => unknown])[] = [
      ['the document', () => null],
      ['the document', () => []],
      ['metadata.interchange_format_version', ({ data }) => ({ data })],
      ['metadata.interchange_format_version', (file) => (file.metadata.interchange_format_version = 5)],
      ['metadata.genesis_validators_root', (file) => (file.metadata.genesis_validators_root = 7)],
      ['data', (file) => (file.data = {})],
      ['data[1]', (file) => (file.data[1] = null)],
      ['data[1].pubkey', (file) => (file.data[1].pubkey = '0xabc')],
      ['data[1].pubkey', (file) => delete file.data[1].pubkey],
      ['data[1].signed_blocks', (file) => delete file.data[1].signed_blocks],
      ['data[0].signed_blocks[1]', (file) => (file.data[0].signed_blocks[1] = 7)],
      ['data[0].signed_blocks[1].slot', (file) => (file.data[0].signed_blocks[1].slot = 20)],
      ['data[0].signed_blocks[1].slot', (file) => (file.data[0].signed_blocks[1].slot = '-1')],
      ['data[1].signed_blocks[0].slot', (file) => (file.data[1].signed_blocks[0].slot = '0x5')],
      ['data[0].signed_blocks[1].slot', (file) => (file.data[0].signed_blocks[1].slot = `${2n ** 64n}`)],
      ['data[0].signed_blocks[1].slot', (file) => (file.data[0].signed_blocks[1].slot = '9'.repeat(100))],
      ['data[0].signed_blocks[1].signing_root', (file) => (file.data[0].signed_blocks[1].signing_root = '0xab')],
      ['data[0].signed_blocks[1].signing_root', (file) => (file.data[0].signed_blocks[1].signing_root = 'word')],
      ['data[1].signed_attestations', (file) => (file.data[1].signed_attestations = 'none')],
      ['data[1].signed_attestations[0]', (file) => (file.data[1].signed_attestations[0] = [])],
      ['data[1].signed_attestations[0].source_epoch', ({ data }) => delete data[1].signed_attestations[0].source_epoch],
      ['data[1].signed_attestations[0].target_epoch', (file) => (file.data[1].signed_attestations[0].target_epoch = 1)],
      ['data[1].signed_attestations[0].signing_root', (file) => (file.data[1].signed_attestations[0].signing_root = 1)],
    ];
    const disk = new TestDisk();
    const log = openSignedLog(path, disk.files());
    const before = disk.textOf(path);
    for (const [place, change] of changes) {
      const file = JSON.parse(fileOf('a 10:x 20:y; b 5 (1)'));
      const changed = change(file);
      const text = JSON.stringify(
        place === 'the document' || (place.endsWith('version') && changed !== 5) ? changed : file,
      );
      expect(() => log.importInterchange(text, key, registry), text).toThrow(
        expect.objectContaining({
          code: 'interchange-malformed',
          message: expect.stringMatching(
            `^interchange: ${place.replaceAll(/[[\].]/g, '\\$&')}: expected .*, got .{1,90}$`,
          ),
        }),
      );
    }
    for (const text of ['{', fileOf('a 10').replace('"data"', '"data":[],"data"')])
      expect(() => log.importInterchange(text, key, registry)).toThrow('interchange: expected JSON as in EIP-3076');
    expect(disk.textOf(path)).toBe(before);
    expect(attempts(log, [10, 20], 'u')).toBe('10+ 20+');
  });

  it('may name the greatest slot of 64 bits', () => {
    const log = imported(`a ${2n ** 64n - 1n}:x`);
    expect(attempt(log, `${2n ** 64n - 1n}`, 'u')).toBe('18446744073709551615-');
  });

  it.runIf(isWhole)('with more heights than the log stores closes all of them', () => {
    const slots = Array.from({ length: 2 * maxHeights }, (_, slot) => `${slot}:x`);
    const disk = new TestDisk();
    const log = openSignedLog(path, disk.files());
    expect(take(log, `a ${slots.join(' ')}`)).toMatchObject({ taken: 2 * maxHeights, conflicts: 0 });
    expect(attempts(log, [0, maxHeights, 2 * maxHeights - 1], 'u')).toBe('0- 65536- 131071-');
    expect(attempts(log, [2 * maxHeights - 1, 0], 'x')).toBe('131071+ 0-');
    expect(disk.textOf(path).split('\n').length).toBeLessThan(maxHeights + 4);
  });
});

describe('an export', () => {
  const slotsOf = (log: SignedLogFile): string =>
    JSON.parse(log.exportInterchange(key, registry))
      .data[0].signed_blocks.map(({ slot, signing_root: root }: Record<string, string>) =>
        root === undefined ? slot : `${slot}:${String.fromCharCode(Number(root.slice(0, 4)))}`,
      )
      .join(' ');

  it('has the form of EIP-3076', () => {
    const log = newLog();
    log.record({ height: 9n, message: messageOf('x') });
    log.record({ height: 5n, message: messageOf('y') });
    log.record({ height: undefined, message: messageOf('z') });
    expect(JSON.parse(log.exportInterchange(key, registry))).toEqual({
      metadata: { interchange_format_version: '5', genesis_validators_root: `0x${hex(registry)}` },
      data: [
        {
          pubkey: `0x${hex(key)}`,
          signed_blocks: [
            { slot: '5', signing_root: `0x${hex(messageOf('y'))}` },
            { slot: '9', signing_root: `0x${hex(messageOf('x'))}` },
          ],
          signed_attestations: [],
        },
      ],
    });
    expect(slotsOf(newLog())).toBe('');
  });

  it('has the watermark as its least slot, with the message if it is known, and nothing below', () => {
    const log = imported('a 50:x 100');
    expect(slotsOf(log)).toBe('100');
    log.record({ height: 120n, message: messageOf('z') });
    expect(slotsOf(log)).toBe('100 120:z');
    expect(slotsOf(imported('a 50:x 100:y'))).toBe('100:y');
  });

  it('of a log that removed heights has the greatest of these as its least slot', () => {
    const log = newLog();
    for (let height = 0n; height <= BigInt(maxHeights); height++) log.record({ height, message: messageOf('x') });
    const slots = slotsOf(log).split(' ');
    expect([slots[0], slots[1], slots.length]).toEqual(['32767', '32768:x', maxHeights / 2 + 2]);
  });
});
