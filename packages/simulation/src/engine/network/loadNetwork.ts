import { isTabled, loadTable } from './cityTables.ts';
import { validateNetwork } from './network.ts';

/**
 * Loads the data of a network: a table for `cities` (50 kB of a page) and `cities-by-distance` (4 kB), nothing for all
 * others. Call this function before you run a scenario on one of these two.
 *
 * @throws RangeError for an invalid name, see `networkForms`.
 */
export async function loadNetwork(name: string): Promise<void> {
  validateNetwork(name);
  if (isTabled(name)) await loadTable(name);
}
