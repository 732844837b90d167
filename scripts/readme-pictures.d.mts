import type { Page } from '@playwright/test';

export interface ReadmePicture {
  readonly name: string;
  readonly address: string;
  readonly width: number;
  readonly height: number;
}
export const readmePictures: readonly ReadmePicture[];
export function showPicture(page: Page, base: string, picture: ReadmePicture): Promise<void>;
export function wordsOfPage(page: Page): Promise<string[]>;
