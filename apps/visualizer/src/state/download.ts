import { made } from '../made.ts';
/** Hands a file to the reader. */
export function download(file: Blob, name: string): void {
  const link = made('a', { href: URL.createObjectURL(file), download: name });
  link.click();
  // By then the browser has the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
