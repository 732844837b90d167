import { html, render } from 'lit-html';
import { createElement } from '../html.ts';
import { write } from '../page.ts';

/** Goes to the next event that matches a text. Returns a description of the event, or of the expected text. */
type Finder = (text: string) => string;

let box: HTMLElement | undefined;

/** Opens the search for a node or a message of the run. */
export function openSearch(find: Finder): void {
  box ??= document.body.appendChild(createElement('div', { className: 'search', popover: 'auto' }));
  box.setAttribute('role', 'search');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    write(box!.querySelector('output')!, find(box!.querySelector('input')!.value));
  };
  render(
    html`<form @submit=${submit}><label for="search-text">Node, or message from one to another</label><input id="search-text" data-testid="search-text" placeholder="52, or 7 > 52" maxlength="40" autocomplete="off" /><button type="submit">Next</button><output data-testid="search-said"></output></form>`,
    box,
  );
  box.showPopover();
  box.querySelector('input')!.select();
}
