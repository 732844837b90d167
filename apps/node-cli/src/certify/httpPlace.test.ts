import { expect, it } from 'vitest';
import { httpFlag, placeText } from './httpPlace.ts';

it.each([
  ['127.0.0.1:8080', 'http://127.0.0.1:9000'],
  ['[::1]:8080', 'http://[::1]:9000'],
  ['unix:/run/tutti.sock', 'unix:/run/tutti.sock:'],
])('placeText prints %s as the start of a URL', (text, url) => {
  expect(placeText(httpFlag(text), 9000)).toBe(url);
});
