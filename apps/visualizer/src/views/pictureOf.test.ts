import { expect, it } from 'vitest';
import { type Picture, svgText } from './pictureOf.ts';

const picture: Picture = {
  width: 300,
  height: 200,
  background: '#fff',
  title: 'Handel & "friends" <64>',
  description: 'npx tutti simulate --nodes 64',
  parts: [
    { x: 0, y: 0, width: 300, height: 100, content: { image: 'data:image/png;base64,AAAA' } },
    { x: 0, y: 100, width: 300, height: 100, content: { svg: '<path d="M0 0"/>', viewBox: '0 0 30 10' } },
    { x: 5, y: 6, width: 7, height: 8, content: { svg: '', viewBox: null } },
    { x: 5, y: 6, width: 70, height: 8, content: { words: 'a < b', font: '600 16px "Serif"', colour: '#000' } },
  ],
};

it('an SVG has its description and command, escaped, and places each drawing over the background', () => {
  const lines = svgText(picture).split('\n');
  expect(lines[0]).toContain('viewBox="0 0 300 200"');
  expect(lines.slice(1)).toEqual([
    '<title>Handel &amp; &quot;friends&quot; &lt;64&gt;</title>',
    '<desc>npx tutti simulate --nodes 64</desc>',
    '<rect width="300" height="200" fill="#fff"/>',
    '<image x="0" y="0" width="300" height="100" href="data:image/png;base64,AAAA"/>',
    '<svg x="0" y="100" width="300" height="100" viewBox="0 0 30 10"><path d="M0 0"/></svg>',
    '<svg x="5" y="6" width="7" height="8"></svg>',
    '<text x="5" y="10" dominant-baseline="central" style="font:600 16px &quot;Serif&quot;" fill="#000">a &lt; b</text>',
    '</svg>',
    '',
  ]);
});
