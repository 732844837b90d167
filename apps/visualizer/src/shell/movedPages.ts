/**
 * Deleted or merged pages, each with the page that replaces it. The fields of an old link are kept, unless the new
 * address has its own fields. In that case the old fields have no meaning there.
 */
export const movedPages: Readonly<Record<string, string>> = {
  'race.html': './#race',
  'network.html': './horn.html#model=network',
  'bench.html': './',
  'book.html': './run.html',
  'style.html': './',
};

/** Returns the HTML for the old address of a page: a redirect that needs no script, with a link to the new page. */
export function movedPage(address: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Tutti: this page has moved</title>
    <noscript><meta http-equiv="refresh" content="0; url=${address}" /></noscript>
    <script src="./first.js" data-forward="${address}"></script>
  </head>
  <body>
    <p>This page has moved to <a href="${address}">${address}</a>.</p>
  </body>
</html>
`;
}
