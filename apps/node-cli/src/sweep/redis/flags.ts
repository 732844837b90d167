import { badValue, type FlagReader } from '../../flags.ts';
import { shownUrl } from './shownUrl.ts';

export const defaultRedis = 'redis://127.0.0.1:6379';
export const defaultQueue = 'tutti-sweep';

/** What a queue needs that no other sweep does. */
export const queueLibraries = ['bullmq', 'ioredis'];

export const redisFlag: FlagReader<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if ((url?.protocol === 'redis:' || url?.protocol === 'rediss:') && url.hostname !== '') return text;
  // A password does not belong on the screen, whatever else is wrong.
  throw badValue('--redis', 'redis://HOST:PORT or rediss://HOST:PORT', shownUrl(text));
};

/** A colon separates the parts of a key in Redis. */
export const queueFlag: FlagReader<string> = (text) => {
  if (/^[\w.-]{1,100}$/.test(text)) return text;
  throw badValue('--queue', '1 to 100 letters, digits, dots, dashes or underscores', text);
};
