/**
 * A variant of Handel, simulated alongside the original: each node waits a tenth longer after every period, as a
 * battery-powered node might. A variant changes the requests of a node to its port, or wraps the node itself; it
 * contains no copy of Tutti's code. The control run is the variant without its change, and must give the same figures
 * as the original.
 */
import { ForwardingPort, HandelNode, HandelTimer } from '@tutti/core';
import { configOf, defaultScenario, simulate } from '@tutti/simulation';

/** A port on which each period takes `factor` times as long as the previous period. */
class PatientPort extends ForwardingPort {
  #factor;
  #stretch = 1;

  constructor(port, factor) {
    super(port);
    this.#factor = factor;
  }

  setTimer(delayUs, timer) {
    if (timer !== HandelTimer.period) return super.setTimer(delayUs, timer);
    super.setTimer(Math.round(delayUs * this.#stretch), timer);
    this.#stretch *= this.#factor;
  }
}

/** Creates Handel's nodes, each behind a `PatientPort`. */
function patient(factor) {
  return ({ scenario, scheme, priorities, threshold }) => {
    const config = configOf(scenario, threshold);
    return (id, own, port) =>
      new HandelNode({ id, config, scheme, priorities, own, port: new PatientPort(port, factor) });
  };
}

const scenario = { ...defaultScenario, nodes: 512, dead: 0.1, threshold: 0.9 };
for (const [name, options] of [
  ['Handel', {}],
  ['control', { nodes: patient(1) }],
  ['patient Handel', { nodes: patient(1.1) }],
]) {
  const { reached, live, timeToThresholdMs, messagesSent } = simulate(scenario, { ...options, checkers: true });
  const [ms, messages] = [timeToThresholdMs.mean.toFixed(0), messagesSent.mean.toFixed(0)];
  console.log(`${name}: ${reached} of ${live} done after ${ms} ms on average, with ${messages} messages per node`);
}
