import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Folder of the fonts in a packed command: the two fonts in use, from a library of 22. */
const packed = new URL('../../fonts/', import.meta.url);

/** Returns the path of an included font, so that every machine draws the same picture. */
export function fontFile(name: 'DejaVuSans' | 'DejaVuSans-Bold'): string {
  const file = fileURLToPath(new URL(`${name}.ttf`, packed));
  return existsSync(file) ? file : createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`);
}
