import type { Recording } from '@tutti/simulation';
import { saveRecording } from '../worker/saveRecording.ts';
import { withRecording } from './keptPage.ts';

/**
 * A run as one HTML file that plays it without a network. @throws Error where the page's own part of it cannot be had.
 */
export async function keepPage(recording: Recording, node: number): Promise<Blob> {
  const [page, file] = await Promise.all([emptyPage(), saveRecording(recording)]);
  return new Blob([withRecording(page, await base64(file), node)], { type: 'text/html' });
}

async function emptyPage(): Promise<string> {
  const answer = await fetch(new URL('./kept/page.html', document.baseURI));
  if (!answer.ok) throw new Error(`the page to keep it in: ${answer.status} ${answer.statusText}`);
  return answer.text();
}

function base64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('the file could not be read'));
    reader.readAsDataURL(file);
  });
}
