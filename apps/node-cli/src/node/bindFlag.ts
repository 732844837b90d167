import { isIP } from 'node:net';
import { badValue, type FlagReader } from '../flags.ts';

/** Where to listen. */
export interface Bind {
  readonly host: string;
  readonly port?: number;
}

/** ADDRESS, ADDRESS:PORT or [ADDRESS]:PORT. */
export const bindFlag =
  (flag: string): FlagReader<Bind> =>
  (text) => {
    if (isIP(text) !== 0) return { host: text };
    const [, host = '', port] = /^\[?([^\]]+)\]?:(\d{1,5})$/.exec(text) ?? [];
    if (isIP(host) !== 0 && Number(port) <= 65_535) return { host, port: Number(port) };
    throw badValue(flag, 'an IP address, with :PORT behind it or without', text);
  };
