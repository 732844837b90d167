/** A button that folds a form out, and in again. */
export function foldOnPress(button: HTMLButtonElement, form: HTMLElement): void {
  button.addEventListener('click', () => {
    button.setAttribute('aria-expanded', String(form.classList.toggle('open')));
  });
}
