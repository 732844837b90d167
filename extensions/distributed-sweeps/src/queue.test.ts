import { version } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { readWorkerName, workerName } from './queue.ts';

describe('a worker in the list of clients', () => {
  it('is identified by its version and place', () => {
    const found = readWorkerName(`bull:abc:w:${workerName()}`);
    expect(found).toMatchObject({ version, where: expect.stringMatching(`\\.${process.pid}$`) });
    expect(readWorkerName('bull:abc:w:tutti@0.2.0-beta.1@a-host.77')).toEqual({
      version: '0.2.0-beta.1',
      where: 'a-host.77',
    });
  });

  it.each(['', 'bull:abc', 'bull:abc:w:somebody'])('refuses %j', (client) => {
    expect(readWorkerName(client)).toBeUndefined();
  });
});
