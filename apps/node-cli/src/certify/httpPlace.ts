import { badValue, type FlagReader } from '../flags.ts';
import type { ServerPlace } from '../live/httpServer.ts';

/** Reads HOST:PORT, [ADDRESS]:PORT or unix:PATH. */
export const httpFlag: FlagReader<ServerPlace> = (text) => {
  if (text.startsWith('unix:') && text.length > 'unix:'.length) return { path: text.slice('unix:'.length) };
  const [, bracketed, plain = '', port] = /^(?:\[([^\]]+)\]|([^:\]]+)):(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw badValue('--http', 'HOST:PORT, [ADDRESS]:PORT or unix:PATH', text);
  return { host: bracketed ?? plain, port: Number(port) };
};

/**
 * Returns the start of a URL, to which the path of a request is appended.
 *
 * @param port the port that the server listens on.
 */
export function placeText(place: ServerPlace, port: number): string {
  if (place.path !== undefined) return `unix:${place.path}:`;
  const host = place.host.includes(':') ? `[${place.host}]` : place.host;
  return `http://${host}:${port}`;
}
