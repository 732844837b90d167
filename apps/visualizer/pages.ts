import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path/posix';
import { normalizePath, type Plugin } from 'vite';
import { cardPage, chapterCards, chapterPage, movedPage, movedPages } from './src/shell/redirects.ts';
import { addPages } from './src/shell/shell.ts';

// The path uses `/` as the separator on every system, as do all paths in this file.
const home = normalizePath(import.meta.dirname);
const extensions = join(home, '../../extensions');

/** A page in the folder `page` of an extension. */
interface ExtensionPage {
  /** File name of the page, in the same folder as the other pages. */
  readonly name: string;
  readonly folder: string;
}

/** Returns the pages of an extension. */
function pagesOf(extension: string): ExtensionPage[] {
  const folder = join(extensions, extension, 'page');
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.html')) : [];
  return files.map((name) => ({ name, folder }));
}

const pages = (existsSync(extensions) ? readdirSync(extensions) : []).sort().flatMap(pagesOf);

/** File names of the installed extensions' pages. */
export const extensionPageNames: readonly string[] = pages.map(({ name }) => name);

// The text of a link to a page is the title in the page's masthead, unless the page provides a shorter title.
addPages(
  pages.map((page) => {
    const [, form] = /<!-- shell:masthead ([\s\S]*?) -->/.exec(textOf(page, './')) ?? [];
    if (form === undefined)
      throw new Error(`${page.folder}/${page.name}: expected a masthead, <!-- shell:masthead {...} -->, got none`);
    const { page: name, title, link = title } = JSON.parse(form);
    return [name, `./${page.name}`, link] as const;
  }),
);

/** Returns a page's HTML with paths to its files. @param place path to the page's folder. */
function textOf({ name, folder }: ExtensionPage, place: string): string {
  return readFileSync(join(folder, name), 'utf8').replaceAll(/(["(])\.\/([\w-]+\.(?:ts|css))/g, `$1${place}$2`);
}

/** Returns the extension page whose file name ends the path. */
const pageNamed = (path: string) => pages.find(({ name }) => name === basename(path));

/** Builds and serves the pages of extensions as if the pages were in this file's folder. */
export const extensionPages: Plugin = {
  name: 'extension-pages',
  enforce: 'pre',
  resolveId: (id) => (extensionPageNames.includes(id) ? join(home, id) : null),
  load(id) {
    const page = id === join(home, basename(id)) ? pageNamed(id) : undefined;
    return page && textOf(page, `${relative(home, page.folder)}/`);
  },
  configureServer: (server) =>
    void server.middlewares.use(async (request, response, next) => {
      try {
        const url = request.url ?? '/';
        const { pathname } = new URL(url, 'http://page');
        const page = pathname === `/${basename(pathname)}` ? pageNamed(pathname) : undefined;
        if (page === undefined) return next();
        const html = await server.transformIndexHtml(url, textOf(page, join('/@fs', page.folder, '/')));
        response.setHeader('Content-Type', 'text/html;charset=utf-8').end(html);
      } catch (error) {
        next(error);
      }
    }),
};

/** Builds a redirect at each former page address, and a page with a preview card for each chapter. */
export const redirects: Plugin = {
  name: 'redirects',
  apply: 'build',
  generateBundle() {
    for (const [fileName, address] of Object.entries(movedPages))
      this.emitFile({ type: 'asset', fileName, source: movedPage(address) });
    for (const card of chapterCards(readFileSync(join(home, 'index.html'), 'utf8'))) {
      const source = cardPage(card, process.env.TUTTI_PAGE_ADDRESS);
      this.emitFile({ type: 'asset', fileName: chapterPage(card.id), source });
    }
  },
};
