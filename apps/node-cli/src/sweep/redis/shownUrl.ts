/** A URL to be shown, or what was given for one: without its password. */
export function shownUrl(url: string): string {
  return url.replace(/(:\/\/[^:@/]*:).*@/, '$1***@').replace(/\?.*/, '?...');
}
