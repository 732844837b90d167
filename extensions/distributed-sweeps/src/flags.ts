import { badValue, type Command, type FlagReader, type FlagsOf, flag, withFlags } from '@tutti/node-cli/command';
import { shownUrl } from './shownUrl.ts';

/** Reads a URL of Redis: `redis:`, or `rediss:` for TLS. */
export const redisFlag: FlagReader<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if ((url?.protocol === 'redis:' || url?.protocol === 'rediss:') && url.hostname !== '') return text;
  // The error never shows the password.
  throw badValue('--redis', 'redis://HOST:PORT or rediss://HOST:PORT', shownUrl(text));
};

/** Reads the name of a queue. The name must not contain a colon, which separates the parts of a key in Redis. */
export const queueFlag: FlagReader<string> = (text) => {
  if (/^[\w.-]{1,100}$/.test(text)) return text;
  throw badValue('--queue', '1 to 100 letters, digits, dots, dashes or underscores', text);
};

const queueFlags = {
  redis: flag('<url>', 'address of the Redis server', () => redisFlag, 'redis://127.0.0.1:6379'),
  queue: flag('<name>', 'name of the queue', () => queueFlag, 'tutti-sweep'),
};

/** Address and name of a queue. */
export type QueueOptions = FlagsOf<typeof queueFlags>;

/** Adds the flags for the address and the name of the queue to a command. */
export function withQueueFlags(command: Command): Command {
  return withFlags(command, queueFlags);
}
