import { Command } from 'commander';
import { expect, it } from 'vitest';
import { requireFlagsOf } from './hornClusterFlags.ts';

function check(protocol: string, ...given: string[]): void {
  const command = new Command('cluster').option('-q, --quiet').option('--seed <n>').option('--period <ms>');
  command.option('--committees <n>').parse(given, { from: 'user' });
  requireFlagsOf(protocol, command);
}

it('accepts flags of all protocols and of Horn with Horn, and refuses flags of Handel', () => {
  expect(() => check('horn', '--quiet', '--seed', '3', '--committees', '2')).not.toThrow();
  expect(() => check('horn', '--period', '20')).toThrow('--period: cannot be combined with --protocol horn');
  expect(() => check('handel', '--committees', '2')).toThrow('--committees: cannot be combined with --protocol handel');
});
