import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { messageHash } from './certificate.ts';
import { type LogFiles, openSignedLog } from './signedLogFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'tutti-signed-'));
let files = 0;
const newPath = (): string => join(folder, `log-${files++}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const a = messageHash(Uint8Array.of(1));
const b = messageHash(Uint8Array.of(2));
const system: LogFiles = {
  openSync,
  writeSync: (fd, bytes) => writeSync(fd, bytes),
  fsyncSync,
  ftruncateSync,
  closeSync,
};

class Killed extends Error {}

/** A file system whose machine dies at a step: before it, or in a write after some of its bytes. */
function dyingAt(step: number, written: number): LogFiles {
  let steps = 0;
  const alive = <T>(task: () => T): T => {
    if (steps++ === step) throw new Killed();
    return task();
  };
  return {
    ...system,
    fsyncSync: (fd) => alive(() => fsyncSync(fd)),
    writeSync(fd, bytes) {
      if (steps++ !== step) return writeSync(fd, bytes);
      writeSync(fd, bytes.subarray(0, written));
      throw new Killed();
    },
  };
}

describe('a log of what was signed', () => {
  it('has one message of a height, over restarts, and takes the same again', () => {
    const path = newPath();
    const first = openSignedLog(path);
    first.record({ message: a, height: 7n });
    first.record({ message: b, height: undefined });
    expect(() => first.record({ message: b, height: 7n })).toThrow(/^height 7: expected the message .*signed once$/);
    first.close();
    const second = openSignedLog(path);
    second.record({ message: a, height: 7n });
    expect(() => second.record({ message: b, height: 7n })).toThrow('height 7');
    second.record({ message: b, height: 8n });
    second.close();
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(4);
  });

  it('never lets two signatures of a height leave, wherever the process is killed', () => {
    let signedBeforeDeath = 0;
    for (let step = 0; step < 8; step++)
      for (const written of [0, 1, 40, 75, 76, 77]) {
        const path = newPath();
        const released: Uint8Array[] = [];
        const sign = (
          log: { record(statement: { message: Uint8Array; height: bigint }): void },
          message: Uint8Array,
        ) => {
          log.record({ message, height: 1n });
          released.push(message);
        };
        try {
          const log = openSignedLog(path, dyingAt(step, written));
          sign(log, a);
          log.record({ message: b, height: 2n });
        } catch (error) {
          expect(error).toBeInstanceOf(Killed);
        }
        signedBeforeDeath += released.length;
        rmSync(`${path}.lock`, { force: true });
        const again = openSignedLog(path);
        try {
          sign(again, b);
        } catch (error) {
          expect((error as { code?: string }).code).toBe('already-signed');
        }
        again.close();
        expect(new Set(released.map(String)).size).toBeLessThanOrEqual(1);
      }
    expect(signedBeforeDeath).toBeGreaterThan(20);
  });

  it('goes on after a write that failed, whose part of a line it cuts off, and says by check() whether it can', () => {
    const path = newPath();
    let isFull = false;
    const log = openSignedLog(path, {
      ...system,
      writeSync(fd, bytes) {
        if (!isFull) return writeSync(fd, bytes);
        writeSync(fd, bytes.subarray(0, 10));
        throw new Error('ENOSPC');
      },
    });
    log.check();
    isFull = true;
    for (let tries = 0; tries < 3; tries++) {
      expect(() => log.record({ message: a, height: 1n })).toThrow('ENOSPC');
      expect(() => log.check()).toThrow('ENOSPC');
    }
    isFull = false;
    log.check();
    log.record({ message: b, height: 1n });
    log.close();
    const again = openSignedLog(path);
    expect(() => again.record({ message: a, height: 1n })).toThrow('height 1');
    again.close();
  });

  it('refuses a file with a line that was changed, and a second process', () => {
    const path = newPath();
    const log = openSignedLog(path);
    log.record({ message: a, height: 1n });
    expect(() => openSignedLog(path)).toThrow(`process ${process.pid} has it`);
    log.close();
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^1 /, '2 '));
    expect(() => openSignedLog(path)).toThrow('line 1 is not what was written');
  });

  it('carries what was signed to another signer as EIP-3076 has it', () => {
    const key = new Uint8Array(48).fill(3);
    const registry = new Uint8Array(32).fill(4);
    const from = openSignedLog(newPath());
    from.record({ message: a, height: 5n });
    from.record({ message: b, height: 9n });
    const text = from.exportInterchange(key, registry);
    from.close();
    expect(JSON.parse(text)).toMatchObject({
      metadata: { interchange_format_version: '5', genesis_validators_root: `0x${'04'.repeat(32)}` },
      data: [{ signed_blocks: [{ slot: '5' }, { slot: '9' }], signed_attestations: [] }],
    });
    const path = newPath();
    const to = openSignedLog(path);
    to.importInterchange(text, key, registry);
    to.close();
    const again = openSignedLog(path);
    again.record({ message: b, height: 9n });
    expect(() => again.record({ message: a, height: 9n })).toThrow('height 9');
    expect(() => again.record({ message: a, height: 6n })).toThrow('height 6: expected one over 9');
    again.record({ message: a, height: 10n });
    expect(() => again.importInterchange(text, key, new Uint8Array(32))).toThrow(
      'expected what was signed for registry',
    );
    expect(() => again.importInterchange('{}', key, registry)).toThrow('interchange: expected EIP-3076');
    again.close();
  });
});
