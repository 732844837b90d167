/** Changes to TypeDoc's site: no inline code, files for the addresses in help texts, and no copied sources. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { PageEvent, ReflectionKind } from 'typedoc';
import { root } from '../run.mjs';

/**
 * Removes inline code and styles from every page. The server's policy allows a page to run scripts and use styles only
 * from its own files. Inline code would set the colours half a second earlier; docs.css right-aligns numbers.
 *
 * @returns the pages of the site by the path of their source below docs/; the map is filled while the site is written.
 */
export function adaptPages(app) {
  const addresses = new Map();
  app.renderer.on(PageEvent.END, (page) => {
    if (page.model.kindOf?.(ReflectionKind.Document)) {
      const file = relative(root, page.project.files.getReflectionPath(page.model) ?? '');
      if (file.startsWith('docs/')) addresses.set(file.slice('docs/'.length).replace(/\.md$/, '.html'), page.url);
    }
    page.contents = page.contents
      ?.replaceAll(/<script>[\s\S]*?<\/script>/g, '')
      .replaceAll(' style="text-align:right"', ' class="right"')
      .replace('</head>', '<link rel="icon" href="data:,"/></head>');
    if (page.url === 'index.html')
      page.contents = page.contents?.replace(/<div class="tsd-page-title">\s*<h1>.*?<\/h1><\/div>/, '');
    if (/<style|\sstyle=/.test(page.contents ?? '')) throw new Error(`docs: expected no inline style in ${page.url}`);
  });
  return addresses;
}

/**
 * Writes redirects to pages. Help texts refer to pages as guides/simulate, so a file of that name leads to the page.
 */
export function writeRedirects(addresses, out) {
  for (const [name, url] of addresses) {
    const file = join(out, name);
    if (existsSync(file)) continue;
    mkdirSync(dirname(file), { recursive: true });
    const target = relative(dirname(name), url);
    writeFileSync(
      file,
      `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${target}"><title>Tutti</title><a href="${target}">${target}</a>\n`,
    );
  }
}

/**
 * Changes the theme's script, which writes its filters into a style element. The site's policy forbids style elements;
 * a constructed style sheet is allowed.
 */
export function adaptTheme(out) {
  const script = join(out, 'assets/main.js');
  const element = 'document.head.appendChild(document.createElement("style"))';
  const sheet = `(() => {
    const sheet = new CSSStyleSheet();
    let css = '';
    document.adoptedStyleSheets.push(sheet);
    return { dataset: {}, get innerHTML() { return css; }, set innerHTML(text) { sheet.replaceSync(css = text); } };
  })()`;
  const source = readFileSync(script, 'utf8');
  if (source.split(element).length !== 2)
    throw new Error(`docs: expected one style element in ${script}; TypeDoc has changed`);
  writeFileSync(
    script,
    source.replace(element, () => sheet),
  );
}

/**
 * Removes copied sources. TypeDoc copies every linked file like an image, including files whose links are plain text.
 */
export function removeSources(out) {
  for (const name of readdirSync(join(out, 'media'))) if (!/\.(png|svg)$/.test(name)) rmSync(join(out, 'media', name));
}
