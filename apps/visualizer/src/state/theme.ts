const key = 'tutti-theme';

type Theme = 'light' | 'dark';

/** Light or dark: the system's setting, until the reader chooses. */
export function themeSwitch(button: HTMLButtonElement, onChange: () => void): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const current = (): Theme =>
    (document.documentElement.dataset.theme as Theme | undefined) ?? (system.matches ? 'dark' : 'light');
  const show = () => {
    const other = current() === 'dark' ? 'Light' : 'Dark';
    button.textContent = other;
    button.setAttribute('aria-label', `${other} theme`);
    onChange();
  };
  button.addEventListener('click', () => {
    const next: Theme = current() === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem(key, next);
    } catch {
      // Where nothing may be stored, the choice lasts as long as the page.
    }
    show();
  });
  system.addEventListener('change', show);
  show();
}
