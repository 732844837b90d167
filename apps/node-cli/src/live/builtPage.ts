import { existsSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WorldError } from '@tutti/transports/errors';
import sirv from 'sirv';

/**
 * In an installed package it is within the package; in the workspace, it is where the visualiser is built, whether this
 * runs from source or compiled.
 */
const packedPage = fileURLToPath(new URL('../../page/', import.meta.url));
const workspacePage = fileURLToPath(new URL('../../../visualizer/dist/', import.meta.url));
/** Where `npm run docs` puts the pages; packed, they lie within the page. */
const workspaceDocs = fileURLToPath(new URL('../../../../dist/docs/', import.meta.url));
const isWorkspace = existsSync(new URL('../../../visualizer/vite.config.ts', import.meta.url));

/**
 * Answers with the built visualiser, under docs/ with the site of `npm run docs` where it was built, and with the
 * headers that come with it: what the page may do, and who may frame it.
 *
 * @throws WorldError `page-not-built`.
 */
export function builtPage(
  page: string = isWorkspace ? workspacePage : packedPage,
  headersFile: string | URL = join(page, 'headers.json'),
  docs: string = isWorkspace ? workspaceDocs : join(page, 'docs'),
): RequestListener {
  if (!existsSync(join(page, 'index.html')) || !existsSync(headersFile))
    throw new WorldError(
      'page-not-built',
      `serve: expected the built page in ${page}, found none; run npm run build -w @tutti/visualizer`,
    );
  const headers: Record<string, string> = JSON.parse(readFileSync(headersFile, 'utf8'));
  // Compressed where the build has left it so.
  const files = sirv(page, { etag: true, gzip: true });
  const pages = existsSync(join(docs, 'index.html')) ? sirv(docs, { etag: true }) : undefined;
  return (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end();
      return;
    }
    const notFound = () => {
      response.writeHead(404, { 'Content-Type': 'text/plain' });
      response.end('not found\n');
    };
    if (pages && request.url?.startsWith('/docs/')) {
      request.url = request.url.slice('/docs'.length);
      pages(request, response, notFound);
    } else files(request, response, notFound);
  };
}
