/** Copies what `text` says when the button is pressed, and says on the button whether it did. */
export function copyOnPress(button: HTMLButtonElement, text: () => string): void {
  const words = button.textContent;
  button.addEventListener('click', async () => {
    const copied = await navigator.clipboard.writeText(text()).then(
      () => true,
      () => false,
    );
    button.textContent = copied ? 'Copied' : 'Not allowed here';
    setTimeout(() => {
      button.textContent = words;
    }, 1600);
  });
}
