import { isTabled, loadTable } from './cityTables.ts';
import { validateNetwork } from './network.ts';

/**
 * Loads the data of a network: a table for `cities` and `cities-by-distance`, 50 and 4 kB of a page; nothing for all
 * others. Call it before you run a scenario on one of these.
 *
 * @throws RangeError for an invalid name, see `networkForms`.
 */
export async function loadNetwork(name: string): Promise<void> {
  validateNetwork(name);
  if (isTabled(name)) await loadTable(name);
}
