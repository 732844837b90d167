/** What stands behind the # of a link to `lean.html`; undefined for a link of anything else. */
export function leanHash(link: string): string | undefined {
  return /^(?:[^#]*\/)?lean\.html#(.*)$/s.exec(link)?.[1];
}
