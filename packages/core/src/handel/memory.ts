import { requireScheme } from '../contribution/nodeArguments.ts';
import { expected, requireMethods, requireObject } from '../errors.ts';
import type { Slab } from '../slab.ts';
import { validateHandelConfig } from './config.ts';
import { requireRules } from './rules.ts';
import { type HandelMemoryOptions, SharedState } from './sharedState.ts';

/**
 * Where the states lie, for runtimes of this package: in a slab that is large enough from the start, or was used
 * before.
 */
interface PlacedOptions extends HandelMemoryOptions {
  readonly slab?: Slab;
}

/** What a memory keeps, for its nodes. */
export let sharedState: (memory: HandelMemory) => SharedState;

/**
 * Holds the states of nodes that share a registry, a scheme and parameters; for many nodes in one process.
 *
 * Only one of the nodes can be called at a time. A call into a node during a call into another, or the same one, is a
 * TypeError that names both: a port must not deliver a message or a verdict inside `send`, `verify` or `output`, but in
 * a later turn. A call that throws may leave its node's state half written, so after it every call into any of the
 * nodes throws the same error.
 */
export class HandelMemory {
  readonly #state: SharedState;

  /**
   * @throws RangeError for a parameter out of its range, and for priorities of another tree than the scheme's; TypeError
   *   for what is missing or of another kind.
   */
  constructor(options: HandelMemoryOptions) {
    requireObject('options', options);
    const { config, scheme, priorities, quorum, rules } = options;
    requireScheme(scheme);
    requireMethods('priorities', priorities, ['rank', 'contact']);
    const { nodes, form } = scheme.tree;
    validateHandelConfig(config, nodes);
    const ranked = priorities.tree;
    if (ranked !== undefined && (ranked.nodes !== nodes || ranked.form !== form))
      throw new RangeError(
        `priorities: expected ranks for the ${form} tree of ${nodes} nodes, got those for the ${ranked.form} tree of ${ranked.nodes}`,
      );
    if (quorum !== undefined && quorum.requirements[0]!.stakes.nodes !== nodes)
      throw new RangeError(expected('quorum', `stakes of the tree's ${nodes} nodes`, 'those of others'));
    if (priorities.span < nodes)
      throw new RangeError(expected('priorities.span', `at least the ${nodes} nodes of the tree`, priorities.span));
    if (rules !== undefined) requireRules(rules);
    this.#state = new SharedState(options, (options as PlacedOptions).slab);
  }

  static {
    sharedState = (memory) => memory.#state;
  }
}

/** A memory in a slab. */
export function memoryIn(slab: Slab, given: HandelMemoryOptions): HandelMemory {
  const { config, scheme, priorities, quorum, rules } = given;
  const options: PlacedOptions = { config, scheme, priorities, quorum, rules, slab };
  return new HandelMemory(options);
}
