import { AnonymousApp } from './anonymousApp.ts';

new AnonymousApp().open();
