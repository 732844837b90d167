/**
 * A variant of Handel, simulated beside the original: each node waits a tenth longer after every period, as a node with
 * a battery might. A variant wraps what a node asks of its port, or the node itself; nothing of Tutti is copied.
 */
import { defaultHandelConfig, HandelNode } from '@tutti/core';
import { defaultScenario, simulate } from '@tutti/core/simulation';

/** Makes Handel's nodes behind a port whose timers come later and later. */
function patient({ scenario, scheme, priorities, threshold }) {
  const { periodMs, levelStartMs, fastPath, contacts, without } = scenario;
  const config = { ...defaultHandelConfig, threshold, levelStartMs, contacts, without };
  Object.assign(config, { disseminationPeriodMs: periodMs, fastPathPeers: fastPath });
  return (id, own, port) => {
    let stretch = 1;
    const slower = {
      nowUs: () => port.nowUs(),
      send: (...message) => port.send(...message),
      setTimer(delayUs, timer) {
        port.setTimer(Math.round(delayUs * stretch), timer);
        stretch *= 1.1;
      },
      verify: (...asked) => port.verify(...asked),
      output: (contribution) => port.output(contribution),
      refuse: (...what) => port.refuse(...what),
      trace: (...what) => port.trace(...what),
    };
    return new HandelNode({ id, config, scheme, priorities, own, port: slower });
  };
}

const scenario = { ...defaultScenario, nodes: 512, dead: 0.1, threshold: 0.9 };
for (const [name, options] of [
  ['Handel', {}],
  ['patient Handel', { nodes: patient }],
]) {
  const { reached, live, timeToThresholdMs, messagesSent } = simulate(scenario, { ...options, checkers: true });
  const [ms, messages] = [timeToThresholdMs.mean.toFixed(0), messagesSent.mean.toFixed(0)];
  console.log(`${name}: ${reached} of ${live} done after ${ms} ms in the mean, with ${messages} messages a node`);
}
