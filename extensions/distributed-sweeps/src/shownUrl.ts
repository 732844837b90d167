/**
 * Returns a URL for display, without the URL's password and query. The argument may be text that is not a valid URL.
 */
export function shownUrl(url: string): string {
  // Text with a typing error in the scheme is masked too. Only a URL with a user name and no password is not masked.
  return url.replace(/^((?:[^:/]*:?\/\/)?[^:]*:)(?!\/\/[^:]*@[^@]*$).*@/s, '$1***@').replace(/\?.*/s, '?...');
}
