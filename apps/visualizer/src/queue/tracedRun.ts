import { listenToMarks, readableHandel } from 'virtual:traced-handel';
import { HandelNode, type ProtocolNode } from '@tutti/core';
import { configOf, createSimulation, type Scenario } from '@tutti/simulation';
import { type Decision, fateOfMark, type TracedEvent, type TracedRun } from './codeLines.ts';

/**
 * Simulates a scenario with counted signatures instead of real ones; the run is the same.
 *
 * @param signed the scenario, with any scheme.
 * @param node the traced node.
 */
export function tracedRun(signed: Scenario, node: number): TracedRun {
  const events: TracedEvent[] = [];
  const scenario: Scenario = { ...signed, scheme: 'counting' };
  const simulation = createSimulation(scenario, {
    nodes: ({ scheme, priorities, threshold, quorum }) => {
      const config = configOf(scenario, threshold);
      return (id, own, port) => {
        const options = { id, config, scheme, priorities, quorum, own, port };
        return id === node ? followed(readableHandel(options), () => port.nowUs(), events) : new HandelNode(options);
      };
    },
  });
  while (simulation.advance(1 << 16));
  return { digest: simulation.result().digest, events };
}

function followed(node: ProtocolNode, nowUs: () => number, events: TracedEvent[]): ProtocolNode {
  const during = (kind: TracedEvent['kind'], act: () => void, from = -1, level = 0) => {
    const marks = new Set<number>();
    const decisions: Decision[] = [];
    listenToMarks((mark, about, sender) => {
      marks.add(mark);
      if (about !== undefined && sender !== undefined && fateOfMark.has(mark))
        decisions.push({ mark, level: about, sender });
    });
    act();
    listenToMarks(() => {});
    events.push({ timeUs: nowUs(), kind, from, level, marks: [...marks], decisions });
  };
  return {
    start: () => during('start', () => node.start()),
    onMessage: (from, level, ...rest) => during('message', () => node.onMessage(from, level, ...rest), from, level),
    onTimer: (timer) => during('timer', () => node.onTimer(timer)),
    onVerified: (ticket, isValid) => during('verified', () => node.onVerified(ticket, isValid)),
  };
}
