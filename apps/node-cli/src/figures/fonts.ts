import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The fonts that a packed command brings along: the two that are used, of a library that has 22. */
const packed = new URL('../../fonts/', import.meta.url);

/** A font that comes along, so that every machine makes the same picture. */
export function fontFile(name: 'DejaVuSans' | 'DejaVuSans-Bold'): string {
  const file = fileURLToPath(new URL(`${name}.ttf`, packed));
  return existsSync(file) ? file : createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`);
}
