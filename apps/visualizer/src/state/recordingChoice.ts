import { part } from '../page.ts';

/** Lets the reader choose a recording's file, by a button or by dropping it anywhere on the page. */
export function listenForRecordings(onFile: (file: File) => void): void {
  const input = part<HTMLInputElement>('#recording-file');
  part('#open-recording').addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    // So that choosing the same file again is a change again.
    input.value = '';
    if (file) onFile(file);
  });

  const hasFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;
  const mark = (over: boolean) => document.documentElement.toggleAttribute('data-dropping', over);
  document.addEventListener('dragover', (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    mark(true);
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) mark(false);
  });
  document.addEventListener('drop', (event) => {
    mark(false);
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    onFile(file);
  });
}
