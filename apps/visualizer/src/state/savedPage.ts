/** Element of an exported page that contains its recording (a gzipped file in base64) and the selected node. */
export const recordingPlace = '<script type="text/plain" id="recording"></script>';

/** Parts of a page for a single run, in addition to the recording. */
interface SavedPageParts {
  /** Page of the lab, which contains its figures between `<!-- saved page -->` and `<!-- /saved page -->`. */
  readonly lab: string;
  /** Dock, which is identical on every page. */
  readonly dock: string;
  readonly script: string;
  readonly style: string;
}

/**
 * Returns an HTML file that plays a single run without any other file, server or worker. The recording is inserted
 * later.
 *
 * @throws RangeError if the lab contains no figures to save.
 */
export function savedPageTemplate({ lab, dock, script, style }: SavedPageParts): string {
  const figures = [...lab.matchAll(/<!-- saved page -->([\s\S]*?)<!-- \/saved page -->/g)].map(([, part]) =>
    part!.trim(),
  );
  if (figures.length === 0) throw new RangeError('the lab: expected figures to save, got none');
  const body = `<body>
    <header class="masthead">
      <p class="wordmark">Tutti</p>
      <h1 id="title"></h1>
      <div class="masthead-tools"><button type="button" class="quiet" data-testid="theme" id="theme">Dark</button></div>
    </header>
    <noscript><p class="noscript">This page plays a run and needs JavaScript for that.</p></noscript>
    <p id="status" class="sub" role="status"></p>
    ${dock}
    <main id="figures">
      ${figures.join('\n      ')}
    </main>
    <footer class="colophon"><p>Handel is by Bégassat, Kolad, Gailly and Liochon. Select a word with a <span class="term-sample">dotted underline</span> for its definition. Space plays and pauses; the arrow keys step.</p></footer>
    <div id="explanation" class="explanation" popover="auto" role="note"></div>`;
  return wholePage('Tutti: a saved run', style, body, script);
}

/**
 * Returns an HTML file with its style, its script and a placeholder for the recording. @param body body from its
 * opening tag onwards, not closed.
 */
export function wholePage(title: string, style: string, body: string, script: string): string {
  // Escapes text that would end the script element.
  const inScript = script.replaceAll('</script', '<\\/script');
  return `<!doctype html>
<html lang="en" data-state="idle">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    <style>${style}</style>
  </head>
  ${body}
    ${recordingPlace}
    <script type="module">${inScript}</script>
  </body>
</html>
`;
}

/**
 * Returns a page with a recording inserted. @param file the recording's file in base64. @param node the selected node.
 */
export function withRecording(page: string, file: string, node: number): string {
  const [before, after, ...more] = page.split(recordingPlace);
  if (after === undefined || more.length > 0)
    throw new RangeError('saved page: expected exactly one place for the recording, got none or several');
  return `${before}<script type="text/plain" id="recording" data-node="${node}">${file}</script>${after}`;
}
