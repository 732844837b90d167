import { createRequire } from 'node:module';

/** A font that comes along, so that every machine makes the same picture. */
export const fontFile = (name: 'DejaVuSans' | 'DejaVuSans-Bold'): string =>
  createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`);
