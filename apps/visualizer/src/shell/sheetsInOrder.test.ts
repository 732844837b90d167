import { expect, it } from 'vitest';
import { sheetsInOrder } from './sheetsInOrder.ts';

it('sheetsInOrder: what every page has first, the page’s own last, the others as they stood between', () => {
  const link = (name: string) => `<link rel="stylesheet" crossorigin href="./assets/${name}-AbC.css">`;
  const html = (...names: string[]) => `<head>${names.map(link).join('\n    ')}</head>`;
  expect(sheetsInOrder(html('index', 'lab', 'every', 'horn'), 'index')).toBe(html('every', 'lab', 'horn', 'index'));
  expect(sheetsInOrder('<head></head>', 'index')).toBe('<head></head>');
});
