import '../style/scale.css';
import '../style/colours.css';
import './frame.css';
import './single.css';
import { query } from '../page.ts';
import { messageOf } from '../worker/task.ts';

/**
 * Shows the content of a page that `tutti open --single-file` has written, or the reason why it cannot be shown.
 *
 * @param what name of the content. @param show adds the content to the page; called with the element that contains the
 * data.
 */
export async function showSingle(what: string, show: (place: HTMLElement) => Promise<unknown>): Promise<void> {
  const { dataset } = document.documentElement;
  try {
    await show(query('#recording'));
    document.title = query('figcaption.caption').textContent ?? '';
    dataset.state = 'ready';
  } catch (error) {
    dataset.state = 'error';
    query('main').textContent = `The ${what} on this page cannot be shown: ${messageOf(error)}`;
  }
}
