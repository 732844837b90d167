import { CheckFailed, type ClaimName } from '../../checkers/claims.ts';
import { ChoiceKind, choice } from './codes.ts';
import type { SmallWorld } from './smallWorld.ts';

/**
 * Maximum number of periods: twice the number needed after the start of the last level. A node contacts a level's
 * peers, at most two, in two periods, and forwards the results in the next period. In the same number of periods, the
 * node then reports that its levels are complete.
 */
const periodsEnough = 16;

/**
 * Maximum number of deliveries and verifications between two periods. Each delivery or verification causes at most a
 * few others.
 */
const maxSteps = 1000;

/**
 * Continues a model fairly from its present state (v1.03 sections 2.3 and 2.4): all nodes start, nothing more is lost,
 * verifications end, timers expire in turn, and the Byzantine node is silent. After the continuation, every honest node
 * must have given an output over the threshold, and its last output must contain every honest contribution. Without a
 * Byzantine node, all nodes can tell each other that they are done, so all must stop sending (section 6).
 *
 * @param made list to which the choices of the continuation are appended. @returns the violated claim, if any.
 */
export function fairEnd(world: SmallWorld, made: number[]): Breach | undefined {
  const choose = (kind: ChoiceKind, about: number) => {
    made.push(choice(kind, about));
    world.apply(choice(kind, about));
  };
  for (const [id, { node, started }] of world.records.entries()) {
    if (node !== undefined && !started) choose(ChoiceKind.start, id);
  }
  const maxPeriods = periodsEnough + world.setting.options.levelStartPeriods;
  for (let periods = 0; ; periods++) {
    if (!settle(world, choose))
      return { claim: 'silence', what: `expected at most ${maxSteps} events between two periods` };
    const timers = world.records.flatMap(({ timerSet }, id) => (timerSet ? [id] : []));
    const lacking = lackingAt(world);
    if (lacking === undefined && (world.byzantine >= 0 || timers.length === 0)) return undefined;
    if (timers.length === 0 || periods === maxPeriods) {
      return lacking ?? { claim: 'silence', what: `node ${timers[0]}: expected silence after ${periods} fair periods` };
    }
    for (const id of timers) choose(ChoiceKind.timer, id);
  }
}

/** Delivers messages and completes verifications. @returns false if some are left after {@link maxSteps}. */
function settle(world: SmallWorld, choose: (kind: ChoiceKind, about: number) => void): boolean {
  for (let steps = 0; steps < maxSteps; ) {
    const messages = [...world.inFlight];
    const busy = world.records.flatMap(({ ticket }, id) => (ticket !== 0 ? [id] : []));
    if (messages.length + busy.length === 0) return true;
    for (const message of messages) choose(ChoiceKind.deliver, message);
    for (const id of busy) choose(ChoiceKind.verified, id);
    steps += messages.length + busy.length;
  }
  return false;
}

/** Returns the first node without the required output. */
function lackingAt({ records }: SmallWorld): Breach | undefined {
  const honest = records.flatMap(({ node }, id) => (node === undefined ? [] : [id]));
  for (const id of honest) {
    const { output } = records[id]!;
    if (output === 0) return { claim: 'termination', what: `node ${id}: expected an output in a fair end, got none` };
    const lacking = honest.filter((other) => ((output >>> other) & 1) === 0);
    if (lacking.length > 0) {
      const what = `node ${id}: expected every honest contribution in its output in a fair end, got none of ${lacking.join(', ')}`;
      return { claim: 'fairness', what };
    }
  }
  return undefined;
}

/** A violated claim, with the expected and the actual state. */
export interface Breach {
  /**
   * Name of the claim: one of the checkers' claims; `silence`, that all nodes stop sending (v1.03 section 6); or
   * `no-throw`, that a node never throws.
   */
  readonly claim: ClaimName | 'silence' | 'no-throw';
  readonly what: string;
}

/** Returns whether only a fair end can reveal the violation. All other violations occur at a certain moment. */
export function isOfTheEnd({ claim }: Breach): boolean {
  return claim === 'termination' || claim === 'fairness' || claim === 'silence';
}

/** Calls a function and returns the violation that it returns or throws. Every error is a violation. */
export function breachBy(happens: () => Breach | undefined): Breach | undefined {
  try {
    return happens();
  } catch (error) {
    if (error instanceof CheckFailed) return { claim: error.claim, what: error.message };
    return { claim: 'no-throw', what: String(error) };
  }
}
