/**
 * Returns a URL for display, without the URL's password and query. The argument may be text that is not a valid URL.
 */
export function shownUrl(url: string): string {
  // The text from the colon before the password to the last @ is masked, also if the scheme has a typing error. A URL
  // with a user name and no password is not changed.
  return url.replace(/^((?:[^:/]*:?\/\/)?[^:]*:)(?!\/\/[^:]*@[^@]*$).*@/s, '$1***@').replace(/\?.*/s, '?...');
}
