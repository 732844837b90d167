export type { Contribution, Port, ProtocolNode } from './protocol.ts';
export { MessageFlag, NONE, Refusal, refusalName, TraceKind } from './protocol.ts';
export { LineKind, type RecordedWorld, type Recording } from './simulation/recording.ts';
export type { RunResult, Spread } from './simulation/result.ts';
export { defaultScenario, type Scenario } from './simulation/scenario.ts';
export type { Simulation } from './simulation/simulation.ts';
