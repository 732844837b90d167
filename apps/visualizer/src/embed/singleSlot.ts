import '../style/scale.css';
import '../style/colours.css';
import '../lean/strategy.css';
import './frame.css';
import './single.css';
import { part } from '../page.ts';
import { messageOf } from '../worker/task.ts';
import { embedSlot } from './embedSlot.ts';
import { SlotFrame } from './slotFrame.ts';

/** Page that `tutti open --single-file` writes for a link to `lean.html`. It simulates the slot itself. */
const place = part('#recording');
try {
  const { link = '', caption } = place.dataset;
  const slot = await embedSlot(link);
  new SlotFrame(part('main'), { ...slot, caption: caption ?? slot.caption });
  document.title = part('figcaption.caption').textContent ?? '';
  document.documentElement.dataset.state = 'ready';
} catch (error) {
  document.documentElement.dataset.state = 'error';
  part('main').textContent = `The slot in this page cannot be shown: ${messageOf(error)}`;
}
