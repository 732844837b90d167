/**
 * `npm run bench -- NAME [ARGUMENTS]`: compiles what has changed, and runs the benchmark of that name; without one it
 * lists them. Each prints its tables and writes its page in docs/records/, as its first lines say.
 */
import { runNamed } from './runNamed.mjs';

process.exitCode = await runNamed('bench', ['scripts/bench', 'packages/wasm-bls/bench'], {
  // It looks at memory after a collection.
  flags: { rounds: ['--expose-gc'], certificates: ['--expose-gc'] },
});
