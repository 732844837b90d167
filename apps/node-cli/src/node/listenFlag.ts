import { isHostFor } from '@tutti/certificates';
import { badValue, type FlagReader } from '../flags.ts';
import type { Bind } from './bindFlag.ts';

/** Where others reach a node: HOST, HOST:PORT or [ADDRESS]:PORT, with any host that some transport reaches. */
export const listenFlag: FlagReader<Bind> = (text) => {
  if (isHostFor('tcp', text)) return { host: text };
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? '';
  if (isHostFor('tcp', host) && Number(port) >= 1 && Number(port) <= 65_535) return { host, port: Number(port) };
  throw badValue('--listen', 'an IP address, a host name or an onion address, with :PORT behind it or without', text);
};
