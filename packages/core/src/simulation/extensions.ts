import type { Attack } from '../adversary/attack.ts';
import type { AggregationScheme } from '../contribution/scheme.ts';
import type { VerificationPriorities } from '../overlay/verificationPriority.ts';
import type { Contribution } from '../protocol.ts';
import type { HonestNodes } from './honest.ts';
import type { NetworkModel } from './networkModel.ts';
import type { Scenario } from './scenario.ts';

/** What a node of your own is made from. */
export interface NodeSetting {
  readonly scenario: Scenario;
  readonly scheme: AggregationScheme;
  readonly priorities: VerificationPriorities;
  /** Contributions that an output must contain. */
  readonly threshold: number;
}

/** A claim of your own, checked while the run goes on. What it throws ends the run and reaches its caller. */
export interface OwnChecker {
  /** A message arrived at a node that is awake. */
  onMessage?(from: number, to: number, level: number, nowUs: number): void;
  /** A node gave an output. The contribution is lent. */
  onOutput?(id: number, contribution: Contribution, nowUs: number): void;
}

/**
 * What a run can have in addition to its scenario, for variants of a protocol and worlds of your own. The scenario
 * alone then no longer determines the run: to repeat it, pass the same extensions again.
 */
export interface Extensions {
  /** Makes the honest nodes, in place of those of the scenario's protocol. */
  readonly nodes?: (setting: NodeSetting) => HonestNodes;
  /** In place of the scenario's network; made for the scenario's number of nodes. */
  readonly network?: NetworkModel;
  /** Beside the scenario's attacks, and after them. */
  readonly attacks?: readonly { readonly attack: Attack; readonly share: number }[];
  readonly checker?: OwnChecker;
}
