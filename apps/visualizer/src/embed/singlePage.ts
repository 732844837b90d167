import { wholePage } from '../state/keptPage.ts';

/** The page of one run without anything around it. Its recording is still missing. */
export function singlePage(script: string, style: string): string {
  const body = `<body>
    <main><noscript>This page plays a run and needs JavaScript for that.</noscript></main>`;
  return wholePage('A run of Tutti', style, body, script);
}
