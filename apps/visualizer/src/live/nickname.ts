import { isLabel, maxLabelCharacters } from '@tutti/transports/rooms';

const key = 'tutti-nickname';

/** Devices with their names in user agents, the most specific first, and their usual names. */
const devices = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'Chromebook'],
  ['Macintosh', 'Mac'],
  ['Windows', 'Windows'],
  ['Linux', 'Linux'],
] as const;

/** Returns the name that the reader chose in this tab. Default: the kind of device, as far as a page can know it. */
export function ownLabel(): string {
  const taken = nickname();
  return taken ?? devices.find(([name]) => navigator.userAgent.includes(name))?.[1] ?? 'browser';
}

function nickname(): string | undefined {
  try {
    const taken = sessionStorage.getItem(key);
    return isLabel(taken) ? taken : undefined;
  } catch {
    return undefined;
  }
}

/** Lets the reader choose a name. A member's card is signed, so the page joins again as another member. */
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
      input.setCustomValidity('This browser stores no data for this page');
      input.reportValidity();
      return;
    }
    location.reload();
  });
}
