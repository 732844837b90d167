import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Processes that wait for each other and for journeys first; what keeps a core busy to the end last. */
class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const last = ({ project }: TestSpecification) => Number(project.name !== 'tests');
    return (await super.sort(files)).toSorted((a, b) => last(a) - last(b));
  }
}

export default defineConfig({
  test: {
    projects: [
      ...['packages', 'apps', 'extensions'].map((folder) => `${folder}/*/vitest.config.ts`),
      'tests/vitest.config.ts',
    ],
    // Two more than there are cores, since tests wait for processes that they started, and for periods of real clusters.
    // The default leaves a core to the runner, which needs next to none of it: on two cores, half of the machine.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: ProcessesFirst },
  },
});
