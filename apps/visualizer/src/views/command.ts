import { made } from '../made.ts';
/** Shows a command so that a flag and its value stay on one line. */
export function showCommand(host: HTMLElement, text: string): void {
  const words = text.split(/ (?=--)/).flatMap((word, place) => {
    const span = made('span', { textContent: word });
    return place === 0 ? [span] : [' ', span];
  });
  host.replaceChildren(...words);
}
