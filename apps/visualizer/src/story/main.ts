import { still } from './stage.ts';
import { StoryApp } from './storyApp.ts';

// The page's first script redirects links to runs; the page then ends.
if (document.documentElement.dataset.state !== 'leaving')
  new StoryApp({
    race: async () => (await import('./raceStage.ts')).raceStage,
    doubling: async () => (await import('./doublingStage.ts')).doublingStage,
    desk: async () => (await import('./deskStage.ts')).deskStage,
    'switch-off': async () => (await import('./switchStage.ts')).switchStage,
    matrix: async () => (await import('./matrixStage.ts')).matrixStage,
    'break-it': async () => (await import('./breakStage.ts')).breakStage,
    growth: async () => (await import('./growthStage.ts')).growthStage,
    horn: async () => (await import('./hornStage.ts')).hornStage,
    proofs: async () => (await import('./proofsStage.ts')).proofsStage,
    // The live room has its own page, because the room needs the curve library and the network.
    live: async () => {
      const { freshTabsLink } = await import('../live/liveLink.ts');
      return (section) => {
        const room = new URL(`./live.html${freshTabsLink()}`, location.href).href;
        for (const link of section.querySelectorAll<HTMLAnchorElement>('a.room-link')) link.href = room;
        return still;
      };
    },
  }).open();
