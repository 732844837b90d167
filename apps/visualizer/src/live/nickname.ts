import { isLabel, maxLabelCharacters } from '@tutti/transports/rooms';

/** Key of the chosen name in the session storage. */
const key = 'tutti-nickname';

/** Substrings of user agents, with the usual names of the devices. The most specific substring comes first. */
const devices = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'Chromebook'],
  ['Macintosh', 'Mac'],
  ['Windows', 'Windows'],
  ['Linux', 'Linux'],
] as const;

/**
 * Returns the name that the reader has chosen in this tab. Default: the kind of device, as far as the page can
 * determine it.
 */
export function ownLabel(): string {
  return nickname() ?? devices.find(([name]) => navigator.userAgent.includes(name))?.[1] ?? 'browser';
}

/** Returns the chosen name; undefined if there is none, or if the browser stores no data for this page. */
function nickname(): string | undefined {
  try {
    const taken = sessionStorage.getItem(key);
    return isLabel(taken) ? taken : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Lets the reader choose a name in a form. A member's card is signed and contains the name, so the page reloads and
 * joins again as another member.
 */
export function nameOnSubmit(form: HTMLFormElement): void {
  const input = form.querySelector('input')!;
  input.maxLength = maxLabelCharacters;
  input.value = nickname() ?? '';
  input.addEventListener('input', () => input.setCustomValidity(''));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const name = input.value.trim().replaceAll(/\s+/g, ' ');
    if (name !== '' && !isLabel(name)) {
      input.setCustomValidity("Use only letters, digits, spaces and . _ - '");
      input.reportValidity();
      return;
    }
    try {
      if (name === '') sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, name);
    } catch {
      input.setCustomValidity('This browser does not store data for this page');
      input.reportValidity();
      return;
    }
    location.reload();
  });
}
