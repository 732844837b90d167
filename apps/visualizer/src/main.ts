import { App } from './app.ts';

new App().open();
