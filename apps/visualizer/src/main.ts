import { App } from './app.ts';

// Each in a task of its own: what stands there may be painted in between.
setTimeout(() => {
  const app = new App();
  setTimeout(() => app.open());
});
