/** Returns a URL without its password, for display; also accepts text that is not a valid URL. */
export function shownUrl(url: string): string {
  return url.replace(/(:\/\/[^:@/]*:).*@/, '$1***@').replace(/\?.*/, '?...');
}
