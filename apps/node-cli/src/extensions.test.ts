import { expect, it } from 'vitest';
import type { Context } from './context.ts';
import { extensionCommand } from './extensions.ts';

it('a missing extension is listed, and its command prints how to install it, with any flags', async () => {
  const silent: Context = { out: () => {}, err: () => {}, progress: 'none', signal: new AbortController().signal };
  const command = await extensionCommand('absent', 'Does what no other does.', silent);
  expect([command.name(), command.summary()]).toEqual(['absent', 'Does what no other does.']);
  expect(command.description()).toBe(
    'Does what no other does. This extension is not installed: npm install @tutti/absent',
  );
  await expect(command.parseAsync(['--some-flag', 'word'], { from: 'user' })).rejects.toMatchObject({
    name: 'UsageError',
    message: 'absent: expected the package @tutti/absent next to tutti, got none; npm install @tutti/absent',
  });
});
