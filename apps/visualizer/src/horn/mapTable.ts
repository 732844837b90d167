import { mapRows, type ResultTable, resultTable } from '@tutti/lab/results';
import { csvText, parquetFile, parquetType } from '../state/tableFile.ts';
import { choiceOfPoint, type Frontier } from './networkFile.ts';
import { networkScenario } from './networkState.ts';
import { networkCommand } from './networkText.ts';

/** The map of the shortest slot as `tutti slots map --out` has it, with the command that plays each row's slot. */
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
        network: links,
        machine: scenario.client.machine,
        proposal: proposals.join('+') || 'none',
        seed: scenario.seed,
        command: networkCommand(scenario, proposals).replace('npx ', ''),
      };
    }),
  );
}

/** The table as a file. Several maps are in it, so that only a row has the command that plays it. */
export async function mapFile(frontier: Frontier, version: string, form: 'csv' | 'parquet'): Promise<Blob> {
  const table = mapTableOf(frontier);
  if (form === 'csv') return new Blob([csvText([table.columns, ...table.rows])], { type: 'text/csv' });
  return new Blob([await parquetFile(table, { command: 'slots network, with the options in each row', version })], {
    type: parquetType,
  });
}
