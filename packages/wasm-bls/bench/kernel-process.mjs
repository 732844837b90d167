/**
 * A kernel in a process of its own, named by the command line and asked by libraries.mjs: a request is an operation of a
 * contender and its arguments. Where the engine does not run it, it ends, with no error, before it is asked.
 */
import { setFlagsFromString } from 'node:v8';

// Node 20 has relaxed SIMD behind this flag, which a newer one does not know and does not need.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--experimental-wasm-relaxed-simd');
const { contender } = await import('./contenders.mjs');
const kernel = await contender(process.argv[2]).catch((error) => {
  if (error.code === 'kernel-rejected') process.exit(0);
  throw error;
});
process.on('message', ([asked, ...args]) => process.send({ value: kernel[asked](...args) }));
process.on('disconnect', () => process.exit());
process.send({ has: kernel.has });
