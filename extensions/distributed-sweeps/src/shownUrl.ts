/**
 * Returns a URL for display, without its password and its query. The argument may be text that is not a valid URL.
 */
export function shownUrl(url: string): string {
  return url.replace(/(:\/\/[^:@/]*:).*@/, '$1***@').replace(/\?.*/, '?...');
}
