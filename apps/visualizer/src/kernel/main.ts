import { BenchApp } from './benchApp.ts';

new BenchApp().open();
