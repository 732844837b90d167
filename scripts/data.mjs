/**
 * `npm run data -- NAME [ARGUMENTS]`: compiles what has changed, and writes the data of that name anew: tables of cities
 * and places, the race and the slots that the page has from the start. Without a name it lists them.
 */
import { runNamed } from './runNamed.mjs';

process.exitCode = await runNamed('data', ['scripts/data']);
