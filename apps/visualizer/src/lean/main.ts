import { LeanApp } from './leanApp.ts';

new LeanApp().open();
