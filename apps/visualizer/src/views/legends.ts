import { NodeRole, type Recording } from '@tutti/simulation';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { count } from '../formatNumber.ts';
import { hasInvalid } from '../timeline/flights.ts';
import { heldColour, type Palette } from './canvas.ts';

/** Draws the legend of the flight picture. */
export function drawFlightLegend(host: HTMLElement, recording: Recording): void {
  const { role: roles } = recording.world;
  render(
    [
      entry('stroke part', 'contains part of the sender’s half'),
      entry('stroke all', 'contains all of the sender’s half'),
      roles.includes(NodeRole.dead) ? entry('dot dead', 'dead node') : nothing,
      roles.includes(NodeRole.byzantine) ? entry('dot byzantine', 'Byzantine node') : nothing,
      recording.scenario.faults.length > 0 ? entry('dot wounded', 'stopped, paused, cut off, slow or faulty') : nothing,
      hasInvalid(recording) ? entry('stroke invalid', 'from a Byzantine node: in flight or being verified') : nothing,
    ],
    host,
  );
}

/** Draws the legend of the levels' picture. */
export function drawLevelsLegend(host: HTMLElement): void {
  render(
    [
      entry('bar all', 'complete level'),
      entry('bar most', 'at least half of the level'),
      entry('bar some', 'less'),
      entry('bar none', 'nothing'),
    ],
    host,
  );
}

/** Draws the legend of the progress picture: the colours of some powers of two, of the threshold, and of the roles. */
export function drawProgressLegend(host: HTMLElement, palette: Palette, threshold: number, roles: Uint8Array): void {
  const max = Math.floor(Math.log2(Math.max(1, threshold - 1)));
  const stride = max > 12 ? 4 : max > 6 ? 2 : 1;
  const powers = Array.from({ length: Math.floor(max / stride) + 1 }, (_, step) => 2 ** (step * stride));
  const others = [
    [NodeRole.dead, 'swatch', 'dead', palette.dead],
    [NodeRole.byzantine, 'swatch byzantine', 'Byzantine', palette.byzantine],
  ] as const;
  render(
    [
      html`<li>contributions held</li>`,
      powers.map((held) => entry('swatch', count(held), heldColour(palette, held, threshold))),
      entry('swatch done', `at least ${count(threshold)} (threshold)`, palette.all),
      others.map(([role, mark, name, colour]) => (roles.includes(role) ? entry(mark, name, colour) : nothing)),
    ],
    host,
  );
}

function entry(mark: string, text: string, swatch?: string): TemplateResult {
  return html`<li .style=${swatch ? `--swatch: ${swatch}` : ''}><i class=${mark} aria-hidden="true"></i>${text}</li>`;
}
