import '../lean/strategy.css';
import { query } from '../page.ts';
import { embedSlot } from './embedSlot.ts';
import { showSingle } from './showSingle.ts';
import { SlotFrame } from './slotFrame.ts';

/** Page of the slot in a link to `lean.html`. The page itself simulates the slot. */
await showSingle('slot', async ({ dataset: { link = '', caption } }) => {
  const slot = await embedSlot(link);
  return new SlotFrame(query('main'), { ...slot, caption: caption ?? slot.caption });
});
