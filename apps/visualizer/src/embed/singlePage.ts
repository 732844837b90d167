import { recordingPlace } from '../state/keptPage.ts';

/** The page of one run without anything around it. Its recording is still missing. */
export function singlePage(script: string, style: string): string {
  return `<!doctype html>
<html lang="en" data-state="idle">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>A run of Tutti</title>
    <style>${style}</style>
  </head>
  <body>
    <main><noscript>This page plays a run and needs JavaScript for that.</noscript></main>
    ${recordingPlace}
    <script type="module">${script.replaceAll('</script', '<\\/script')}</script>
  </body>
</html>
`;
}
