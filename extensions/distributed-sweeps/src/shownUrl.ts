/**
 * Returns a URL for display, without the URL's password and query. The argument may be text that is not a valid URL.
 */
export function shownUrl(url: string): string {
  return url.replace(/(:\/\/[^:@/]*:).*@/, '$1***@').replace(/\?.*/, '?...');
}
