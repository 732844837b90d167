import { FigureApp } from './figureApp.ts';

new FigureApp().open();
