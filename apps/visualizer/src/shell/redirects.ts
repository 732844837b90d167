import { escaped } from '@tutti/lab/drawing';
import { pageAddress } from './shell.ts';

/**
 * Pages that were deleted or merged, each with the page that replaces it. The fields of an old link are appended to a
 * new address that has a fragment; at any other new address, they have no meaning and are dropped.
 */
export const movedPages: Readonly<Record<string, string>> = {
  'race.html': './#race',
  'network.html': './horn.html#model=network',
  'bench.html': './',
  'book.html': './run.html',
  'style.html': './',
};

/** Returns a page that redirects to an address, also without JavaScript, and contains a link to it. */
function redirect(address: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    ${head}
    <noscript><meta http-equiv="refresh" content="0; url=${address}" /></noscript>
    <script src="./first.js" data-forward="${address}"></script>
  </head>
  <body>
    <p>${body}</p>
  </body>
</html>
`;
}

/** Returns the HTML for the old address of a page, with a redirect to the new page. */
export function movedPage(address: string): string {
  const body = `This page has moved to <a href="${address}">${address}</a>.`;
  return redirect(address, '<title>Tutti: this page has moved</title>', body);
}

/** Chapter of the guided tour as shown on the preview card of a link. */
interface ChapterCard {
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

/** Returns the page that a link to a chapter opens first, so that the link's preview card describes the chapter. */
export const chapterPage = (id: string): string => `chapter-${id}.html`;

/** Entities of HTML that the tour's texts may contain. */
const entities: Readonly<Record<string, string>> = {
  nbsp: '\u00a0',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
};

/** Returns the text of HTML, without its tags. @throws RangeError for an entity that is not listed above. */
function textOf(html: string): string {
  return html
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/&([\w#]+);/g, (_, name: string) => {
      const letter = entities[name];
      if (letter === undefined)
        throw new RangeError(`chapter: expected one of the entities ${Object.keys(entities).join(', ')}, got ${name}`);
      return letter;
    });
}

/** Returns the first group of a pattern's match in a chapter. @param what name of the group in errors. */
function matched(pattern: RegExp, chapter: string, what: string): string {
  const [, found] = pattern.exec(chapter) ?? [];
  if (found === undefined) throw new RangeError(`chapter: expected ${what}, got ${chapter.slice(0, 60)}`);
  return found;
}

/** Returns the chapters of the guided tour's page: the title and the first sentences of each. */
export function chapterCards(story: string): readonly ChapterCard[] {
  return story
    .split('<section class="chapter" ')
    .slice(1)
    .map((chapter) => {
      const id = matched(/^id="([\w-]+)"/, chapter, 'an id');
      const title = matched(/<h2 [^>]*>([\s\S]*?)<\/h2>/, chapter, 'a title');
      const text = textOf(matched(/<h2[\s\S]*?<p>([\s\S]*?)<\/p>/, chapter, 'a paragraph after its title'));
      const end = text.slice(0, 200).lastIndexOf('. ') + 1;
      return { id, title: textOf(title), description: text.length > 200 && end > 0 ? text.slice(0, end) : text };
    });
}

/**
 * Returns the HTML of a chapter's page, with a redirect to the chapter.
 *
 * @param address address of the built pages, if known.
 */
export function cardPage({ id, title, description }: ChapterCard, address?: string): string {
  const [name, about] = [escaped(`${title} \u00b7 Tutti`), escaped(description)];
  const head = `<title>${name}</title>
    <meta name="description" content="${about}" />
    <meta property="og:title" content="${name}" />
    <meta property="og:description" content="${about}" />
    <meta property="og:type" content="website" />
    <meta property="og:image" content="${pageAddress(address)}card.png" />
    <meta name="twitter:card" content="summary_large_image" />`;
  return redirect(`./#${id}`, head, `<a href="./#${id}">${name}</a>`);
}
