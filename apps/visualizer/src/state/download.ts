/** Hands a file to the reader. */
export function download(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // By then the browser has the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
