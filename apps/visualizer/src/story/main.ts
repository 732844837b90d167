import { still } from './stage.ts';
import { StoryApp } from './storyApp.ts';

// The page's first script redirects links to runs; the page then ends.
if (document.documentElement.dataset.state !== 'leaving')
  new StoryApp({
    race: async (section, on) => (await import('./raceStage.ts')).raceStage(section, on),
    doubling: async (section, on) => new (await import('./doublingStage.ts')).DoublingStage(section, on),
    desk: async (section, on) => new (await import('./queueStage.ts')).QueueStage(section, on),
    'switch-off': async (section, on) => new (await import('./switchStage.ts')).SwitchStage(section, on),
    matrix: async (section) => (await import('./matrixStage.ts')).matrixStage(section),
    'break-it': async (section, on) => new (await import('./breakStage.ts')).BreakStage(section, on),
    growth: async (section, on) => new (await import('./growthStage.ts')).GrowthStage(section, on),
    horn: async (section, on) => (await import('./hornStage.ts')).hornStage(section, on),
    proofs: async (section, on) => new (await import('./proofsStage.ts')).ProofsStage(section, on),
    // The live room has its own page, because the room needs the curve library and the network.
    live: async (section) => {
      const { freshTabsLink } = await import('../live/liveLink.ts');
      const room = new URL(`./live.html${freshTabsLink()}`, location.href).href;
      for (const link of section.querySelectorAll<HTMLAnchorElement>('a.room-link')) link.href = room;
      return still;
    },
  }).open();
