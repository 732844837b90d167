import { existsSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EnvironmentError } from '@tutti/core/input';
import sirv from 'sirv';

/**
 * Default port of the page. `tutti serve` and `npm start` listen on this port, and links from `tutti open` point to it.
 */
export const pagePort = 8080;

/**
 * Possible folders of the built page. An installed package contains the page in its own folder. In the workspace, the
 * page is in the build folder of the visualiser, for both source and compiled code.
 */
const packedPage = fileURLToPath(new URL('../../page/', import.meta.url));
const workspacePage = fileURLToPath(new URL('../../../visualizer/dist/', import.meta.url));
/** Folder of the docs built by `npm run docs`. In an installed package, the docs are part of the page. */
const workspaceDocs = fileURLToPath(new URL('../../../../dist/docs/', import.meta.url));
const notBuilt = `<!doctype html>
<html lang="en">
<title>Tutti: documentation</title>
<p>The documentation has not been built. Run <code>npm run docs</code> in the clone, then load this page again.</p>
<p><a href="/">Visualiser</a></p>
`;
const isWorkspace = existsSync(new URL('../../../visualizer/vite.config.ts', import.meta.url));

const ownPage = isWorkspace ? workspacePage : packedPage;
const ownDocs = isWorkspace ? workspaceDocs : join(ownPage, 'docs');

/**
 * Returns a text file that is part of the built page.
 *
 * @throws EnvironmentError `page-not-built` if the page has not been built.
 */
export function builtText(name: string, page: string = ownPage): string {
  const path = join(page, name);
  if (existsSync(path)) return readFileSync(path, 'utf8');
  throw pageNotBuilt(page, `${name} of the built page`);
}

function pageNotBuilt(page: string, expected: string): EnvironmentError {
  const message = `${page}: expected ${expected}, found none; run npm run build -w @tutti/visualizer`;
  return new EnvironmentError('page-not-built', message);
}

/** Returns whether the docs have been built. */
export function hasDocs(docs: string = ownDocs): boolean {
  return existsSync(join(docs, 'index.html'));
}

/** Options for {@link builtPage}. */
interface BuiltPageOptions {
  /** Folder of the built page, in which `headers.json` has the response headers. Default: that of this installation. */
  readonly page?: string | undefined;
  /** Folder of the built docs. Default: the docs of this installation. */
  readonly docs?: string | undefined;
  /** Origins whose pages may embed the built page in a frame. Default: none. */
  readonly ancestors?: readonly string[] | undefined;
}

/**
 * Returns a request handler for the built visualiser and, under docs/, for the built docs. The response headers
 * restrict what the page may do, and which other pages may embed it in a frame.
 *
 * @throws EnvironmentError `page-not-built` if the page has not been built.
 */
export function builtPage({ page = ownPage, docs = ownDocs, ancestors = [] }: BuiltPageOptions = {}): RequestListener {
  const headersFile = join(page, 'headers.json');
  if (!existsSync(join(page, 'index.html')) || !existsSync(headersFile)) throw pageNotBuilt(page, 'the built page');
  const headers: Record<string, string> = JSON.parse(readFileSync(headersFile, 'utf8'));
  const policy = 'Content-Security-Policy';
  if (ancestors.length > 0)
    headers[policy] = headers[policy]!.replace(/frame-ancestors [^;]*/, () => `frame-ancestors ${ancestors.join(' ')}`);
  // The handler looks up each file on request, because a build may replace files, and sends a compressed file if the
  // build has created one.
  const files = sirv(page, { dev: true, etag: true, gzip: true });
  const pages = sirv(docs, { dev: true, etag: true });
  return (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end();
      return;
    }
    // A server may ignore the range header (RFC 9110, section 14.2). sirv 3 does not check the bounds of a range.
    delete request.headers.range;
    const isOfDocs = request.url?.startsWith('/docs/') === true;
    const notFound = () => {
      const isNotBuilt = isOfDocs && !hasDocs(docs);
      response.writeHead(404, { 'Content-Type': isNotBuilt ? 'text/html; charset=utf-8' : 'text/plain' });
      response.end(isNotBuilt ? notBuilt : 'not found\n');
    };
    if (isOfDocs) {
      request.url = request.url!.slice('/docs'.length);
      pages(request, response, notFound);
    } else files(request, response, notFound);
  };
}
