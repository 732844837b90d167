import { App } from './app.ts';

const app = new App();
// In a task of its own: what was made may be painted before.
setTimeout(() => app.open());
