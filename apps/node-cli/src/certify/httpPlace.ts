import { badValue, type FlagReader } from '../flags.ts';
import type { ServerPlace } from '../live/httpServer.ts';

/** Place of a member's HTTP API: an address, or a socket in the file system. */
export type HttpPlace = ServerPlace;

/** Reads HOST:PORT, [ADDRESS]:PORT or unix:PATH. */
export const httpFlag: FlagReader<HttpPlace> = (text) => {
  if (text.startsWith('unix:') && text.length > 'unix:'.length) return { path: text.slice('unix:'.length) };
  const [, bracketed, plain = '', port] = /^(?:\[([^\]]+)\]|([^:\]]+)):(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw badValue('--http', 'HOST:PORT, [ADDRESS]:PORT or unix:PATH', text);
  return { host: bracketed ?? plain, port: Number(port) };
};

/**
 * Returns a place as text.
 *
 * @param port the port that the server listens on.
 */
export function placeText(place: HttpPlace, port: number): string {
  return place.path === undefined ? `http://${place.host}:${port}` : `unix:${place.path}:`;
}
