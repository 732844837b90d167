import { PixelApp } from './pixelApp.ts';

new PixelApp().open();
