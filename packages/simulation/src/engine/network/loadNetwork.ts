import { isTabled, loadTable } from './cityTables.ts';
import { validateNetwork } from './network.ts';

/**
 * Loads what the network of that name is made from: for `cities` and `cities-by-distance` a table, 50 and 4 kB of a
 * page; for all others nothing. Call it before you run a scenario on one of these.
 *
 * @throws RangeError for an invalid name, see `networkForms`.
 */
export async function loadNetwork(name: string): Promise<void> {
  validateNetwork(name);
  if (isTabled(name)) await loadTable(name);
}
