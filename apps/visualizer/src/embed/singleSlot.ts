import '../style/scale.css';
import '../style/colours.css';
import '../lean/strategy.css';
import './frame.css';
import './single.css';
import { query } from '../page.ts';
import { messageOf } from '../worker/task.ts';
import { embedSlot } from './embedSlot.ts';
import { SlotFrame } from './slotFrame.ts';

/** Page written by `tutti open --single-file` for a link to `lean.html`. The page itself simulates the slot. */
const place = query('#recording');
try {
  const { link = '', caption } = place.dataset;
  const slot = await embedSlot(link);
  new SlotFrame(query('main'), { ...slot, caption: caption ?? slot.caption });
  document.title = query('figcaption.caption').textContent ?? '';
  document.documentElement.dataset.state = 'ready';
} catch (error) {
  document.documentElement.dataset.state = 'error';
  query('main').textContent = `The slot on this page cannot be shown: ${messageOf(error)}`;
}
