import { part } from '../page.ts';
import { RaceApp } from './raceApp.ts';
import { readRaceFile } from './raceFile.ts';

try {
  const answer = await fetch(new URL('./race.json', import.meta.url));
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  new RaceApp(readRaceFile(await answer.json())).open();
} catch (error) {
  document.documentElement.dataset.state = 'error';
  part('#status').textContent =
    `The race could not be loaded: ${error instanceof Error ? error.message : String(error)}`;
}
