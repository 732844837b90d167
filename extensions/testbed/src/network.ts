/** Hosts in separate network namespaces, connected by one router, for programs other than `tutti testbed`. */
export { createLatency, type Latency } from './latency.ts';
export { TestbedNetwork } from './testbedNetwork.ts';
export { requireTools } from './tools.ts';
