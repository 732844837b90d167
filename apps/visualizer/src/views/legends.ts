import { NodeRole, type Recording } from '@tutti/simulation';
import { made } from '../made.ts';
import { figure } from '../numberWords.ts';
import { hasLies } from '../timeline/messageFace.ts';
import { heldColour, type Palette } from './palette.ts';

/** What the flight picture's colours and marks mean. */
export function drawFlightLegend(host: HTMLElement, recording: Recording): void {
  const roles = recording.world.alive;
  host.replaceChildren(entry('stroke part', 'holds part of the sender’s half'), entry('stroke all', 'holds all of it'));
  if (roles.includes(NodeRole.dead)) host.append(entry('dot dead', 'dead node'));
  if (roles.includes(NodeRole.byzantine)) host.append(entry('dot byzantine', 'Byzantine node'));
  if (hasLies(recording)) host.append(entry('stroke lie', 'from a liar, on its way or being checked'));
}

/** What the colours of the levels' picture mean. */
export function drawLevelsLegend(host: HTMLElement): void {
  host.replaceChildren(
    entry('bar all', 'have all of the level'),
    entry('bar most', 'half or more of it'),
    entry('bar some', 'less'),
    entry('bar none', 'nothing'),
  );
}

/** What the progress picture's colours mean: one swatch a doubling. */
export function drawProgressLegend(host: HTMLElement, palette: Palette, threshold: number, roles: Uint8Array): void {
  const doublings: HTMLElement[] = [];
  const most = Math.floor(Math.log2(Math.max(1, threshold - 1)));
  const stride = most > 12 ? 4 : most > 6 ? 2 : 1;
  for (let power = 0; power <= most; power += stride) {
    const item = entry('swatch', figure(2 ** power));
    item.style.setProperty('--swatch', heldColour(palette, 2 ** power, threshold));
    doublings.push(item);
  }
  const all = entry('swatch done', `${figure(threshold)} and more: the threshold`);
  all.style.setProperty('--swatch', palette.all);
  host.replaceChildren(made('li', { textContent: 'contributions held' }), ...doublings, all);
  const others = [
    [NodeRole.dead, 'dead', palette.dead],
    [NodeRole.byzantine, 'Byzantine', palette.byzantine],
  ] as const;
  for (const [role, name, colour] of others) {
    if (!roles.includes(role)) continue;
    const item = entry(role === NodeRole.byzantine ? 'swatch byzantine' : 'swatch', name);
    item.style.setProperty('--swatch', colour);
    host.append(item);
  }
}

function entry(mark: string, text: string): HTMLElement {
  const sign = made('i', { className: mark });
  sign.setAttribute('aria-hidden', 'true');
  return made('li', {}, sign, text);
}
