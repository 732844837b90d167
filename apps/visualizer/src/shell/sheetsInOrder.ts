/** The page's links to its sheets, in the order in which one overrules another: what all have, what some have, its own. */
export function sheetsInOrder(html: string, page: string): string {
  const sheet = /<link rel="stylesheet"[^>]*>/g;
  const rank = (link: string): number => {
    if (link.includes('/every-')) return 0;
    return link.includes(`/${page}-`) ? 2 : 1;
  };
  const ordered = (html.match(sheet) ?? []).toSorted((a, b) => rank(a) - rank(b));
  return html.replace(sheet, () => ordered.shift()!);
}
