import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Runs the files of the project `tests` first, whose processes mostly wait, and files that keep a core busy last.
 */
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
    // The number of workers is the number of cores plus two, since tests wait for processes that they started, and for
    // periods of real clusters. The default reserves a core for the runner, which uses almost none of it: on two cores,
    // half of the machine.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: ProcessesFirst },
  },
});
