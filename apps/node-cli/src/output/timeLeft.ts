import { defaultScenario, type Scenario } from '@tutti/core/simulation';

/**
 * Events that a run of the default scenario comes to, a node: a line in log2^2 N through what 1,024 to 65,536 nodes took, within a twentieth of each.
 */
export function expectedEvents(nodes: number): number {
  return nodes * (68 + 0.87 * Math.log2(nodes) ** 2);
}

/**
 * Says of a run that has handled so many events how much time is left to it, by how long those took; nothing for a scenario that is another than the
 * default of its size and seed, for how many events that comes to is not known before.
 *
 * @param nowMs a clock.
 */
export function timeLeft(scenario: Scenario, nowMs = () => performance.now()): (events: number) => string {
  const plain = { ...defaultScenario, nodes: scenario.nodes, seed: scenario.seed };
  if (JSON.stringify(scenario) !== JSON.stringify(plain)) return () => '';
  const expected = expectedEvents(scenario.nodes);
  const startedMs = nowMs();
  return (events) => {
    const share = Math.min(0.99, events / expected);
    const seconds = Math.ceil(((nowMs() - startedMs) / 1000) * (1 / share - 1));
    return `, about ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`} left`;
  };
}
