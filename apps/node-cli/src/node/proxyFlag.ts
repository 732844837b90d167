import type { Endpoint } from '@tutti/core/registry';
import { badValue, type FlagReader } from '../flags.ts';

/** HOST:PORT or [ADDRESS]:PORT. */
export const proxyFlag: FlagReader<Endpoint> = (text) => {
  const [, host, port] = /^\[?([^\]]+)\]?:(\d{1,5})$/.exec(text) ?? [];
  if (host !== undefined && Number(port) >= 1 && Number(port) <= 65_535) return { host, port: Number(port) };
  throw badValue('--proxy', 'HOST:PORT', text);
};
