/** Shows a command so that a flag and its value stay on one line. */
export function showCommand(host: HTMLElement, text: string): void {
  const words = text.split(/ (?=--)/).flatMap((word, place) => {
    const span = document.createElement('span');
    span.textContent = word;
    return place === 0 ? [span] : [' ', span];
  });
  host.replaceChildren(...words);
}
