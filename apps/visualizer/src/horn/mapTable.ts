import { mapRows, type ResultTable, resultTable } from '@tutti/lab/results';
import { csvText, parquetFile } from '../files.ts';
import { choiceOfPoint, type Frontier } from './networkFile.ts';
import { networkScenario } from './networkState.ts';
import { networkCommand } from './networkText.ts';

/**
 * Returns the table of the shortest slots in the format of `tutti slots map --out`, with the command for the slot of
 * each row.
 */
export function mapTableOf({ cells }: Frontier): ResultTable {
  return resultTable(
    mapRows(cells, (cell, slotSeconds) => {
      const choice = choiceOfPoint(cell, slotSeconds);
      const scenario = networkScenario(choice);
      const { links, proposals } = choice;
      return {
        validators: scenario.validators,
        beaconNodes: scenario.nodes,
        distribution: scenario.distribution,
        network: scenario.network,
        links,
        machine: scenario.client.machine,
        proposal: proposals.join('+') || 'none',
        seed: scenario.seed,
        command: networkCommand(scenario, proposals).replace('npx ', ''),
      };
    }),
  );
}

/**
 * Returns the table of the shortest slots as a file. The table combines several maps, so the full commands are in its
 * rows, and the command of a Parquet file refers to them.
 */
export async function mapFile(frontier: Frontier, version: string, form: 'csv' | 'parquet'): Promise<Blob> {
  const table = mapTableOf(frontier);
  if (form === 'csv') return new Blob([csvText([table.columns, ...table.rows])], { type: 'text/csv' });
  return parquetFile(table, { command: 'slots network, with the options in each row', version });
}
