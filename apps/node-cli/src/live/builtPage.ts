import { existsSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { fileURLToPath } from 'node:url';
import { WorldError } from '@tutti/transports';
import sirv from 'sirv';

/** Beside this app, from its source and from what was compiled of it alike. */
const PAGE = fileURLToPath(new URL('../../../visualizer/dist/', import.meta.url));

/** What a page needs before a browser gives it shared memory. */
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/**
 * Answers with the built visualiser.
 *
 * @throws WorldError `page-not-built`.
 */
export function builtPage(): RequestListener {
  if (!existsSync(`${PAGE}index.html`))
    throw new WorldError(
      'page-not-built',
      `serve: expected the built page in ${PAGE}, found none; run npm run build -w @tutti/visualizer`,
    );
  const files = sirv(PAGE, {
    etag: true,
    setHeaders: (response) => {
      for (const [name, value] of Object.entries(ISOLATION)) response.setHeader(name, value);
    },
  });
  return (request, response) =>
    files(request, response, () => {
      response.writeHead(404, { 'Content-Type': 'text/plain' });
      response.end('not found\n');
    });
}
