import { HornApp } from './hornApp.ts';

new HornApp().open();
