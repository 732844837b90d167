/** Returns a URL, or the text given for one, without its password, for display. */
export function shownUrl(url: string): string {
  return url.replace(/(:\/\/[^:@/]*:).*@/, '$1***@').replace(/\?.*/, '?...');
}
