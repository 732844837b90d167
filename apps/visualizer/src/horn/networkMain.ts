import { NetworkApp } from './networkApp.ts';

new NetworkApp().open();
