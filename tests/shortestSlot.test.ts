import { readFileSync } from 'node:fs';
import { shortestSlot } from '@tutti/lab/drawing';
import { expect, it } from 'vitest';

const root = new URL('..', import.meta.url);

it("docs/images/shortest-slot.svg is drawn from the map of the page: 'npm run data -- network-slots'", () => {
  const { frontier } = JSON.parse(readFileSync(new URL('apps/visualizer/src/horn/network.json', root), 'utf8'));
  expect(readFileSync(new URL('docs/images/shortest-slot.svg', root), 'utf8')).toBe(shortestSlot(frontier));
});
