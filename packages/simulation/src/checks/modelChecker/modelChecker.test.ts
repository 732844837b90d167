import { HandelNode } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { sampled } from '../../../../../tests/sampled.ts';
import { createModelChecker, type ModelCheckResult, stateKey } from './modelChecker.ts';
import { type ModelCheckerOptions, type ModelSetting, settingOf } from './setting.ts';
import { SmallWorld } from './smallWorld.ts';

function checkModel(options: ModelCheckerOptions): ModelCheckResult {
  const checker = createModelChecker(options);
  while (checker.advance(1 << 20));
  return checker.result();
}

describe('every order of events in a small network of shipped nodes satisfies the claims', () => {
  it.each<ModelCheckerOptions>(
    sampled(
      [
        { nodes: 2, timers: 2 },
        { nodes: 2, timers: 1, losses: 2, repeats: 1 },
        { nodes: 2, timers: 1, threshold: 1 },
        { nodes: 2, timers: 2, byzantine: 1, injections: 2 },
        { nodes: 3, timers: 0, losses: 1 },
        { nodes: 3, timers: 0, repeats: 1, seed: 2 },
        { nodes: 3, timers: 0, byzantine: 1, injections: 1 },
        { nodes: 3, timers: 1, byzantine: 1, injections: 1, levelStartPeriods: 2 },
        { nodes: 3, timers: 0, losses: 1, branching: 4 },
        { nodes: 3, timers: 0, byzantine: 1, injections: 1, branching: 4 },
      ],
      2,
    ),
  )('%j', (options) => {
    const { states, transitions, complete, broken } = checkModel(options);
    expect(broken).toBeUndefined();
    expect(complete).toBe(true);
    // Most states are reached by several orders of events.
    expect(transitions).toBeGreaterThan(1.5 * states);
  });

  it('v1.03 3.5.1: later starts of levels allow other states, and a fair end waits for them', () => {
    const seen = [1, 2, 15].map((levelStartPeriods) =>
      checkModel({ nodes: 3, timers: 1, depth: 7, levelStartPeriods }),
    );
    expect(seen.map(({ broken }) => broken)).toEqual([undefined, undefined, undefined]);
    expect(seen[1]!.states).toBeLessThan(seen[0]!.states);
  });

  it('every order satisfies them with four nodes, within the time of the suite', () => {
    for (const branching of sampled([2, 4] as const, 1)) {
      const seen = checkModel({ nodes: 4, timers: 1, losses: 1, depth: 5, branching });
      expect(seen).toMatchObject({ depth: 5, broken: undefined });
    }
  });
});

describe('checking a model', () => {
  it('of two nodes without timers and back-off has few enough states to count', () => {
    // Neither node has started: 1 state. If only one node has started and waits, its message has or has not reached the
    // other node: 2 states for each choice of the node. If both nodes have started, each is waiting, verifying or done:
    // 9 states. The longest path is two starts, two messages and two verifications.
    const { states, depth } = checkModel({ nodes: 2, timers: 0, backOff: false });
    expect({ states, depth }).toEqual({ states: 14, depth: 6 });
  });

  it.each([
    [{ depth: 6 }, { complete: true, states: 14 }],
    [{ depth: 5 }, { complete: false, depth: 5 }],
    [{ maxStates: 10 }, { complete: false, states: 10 }],
  ])('with %j, stops there, and reports whether further choices remain', (limit, result) => {
    const stopped = checkModel({ nodes: 2, timers: 0, backOff: false, ...limit });
    expect(stopped).toMatchObject({ ...result, broken: undefined });
  });

  it.each<[ModelCheckerOptions, string]>([
    [{ nodes: 1 }, 'nodes: expected an integer from 2 to 4, got 1'],
    [{ nodes: 5 }, 'nodes: expected an integer from 2 to 4, got 5'],
    [{ nodes: 2, losses: 16 }, 'losses: expected an integer from 0 to 15, got 16'],
    [{ nodes: 2, byzantine: 2 }, 'byzantine: expected an integer from 0 to 1, got 2'],
    [{ nodes: 2, injections: 1 }, 'injections: expected an integer from 0 to 0, got 1'],
    [{ nodes: 2, threshold: 3 }, 'threshold: expected an integer from 1 to 2, got 3'],
  ])('refuses %j', (options, message) => expect(() => createModelChecker(options)).toThrow(new RangeError(message)));
});

describe('an ablation is detected', () => {
  it('v1.03 3.5.3 (1): without the blacklist, a sender is verified again after an invalid contribution', () => {
    const { broken } = checkModel({ nodes: 3, timers: 0, byzantine: 1, injections: 1, without: ['blacklist'] });
    const choices = [
      'node 0 is Byzantine',
      'node 2 receives an injected message, from 0: level 2, forged {1}, individual forged {0}',
      'node 2 starts',
      'node 2 has verified forged {1} from 0, level 2: invalid',
    ];
    expect(broken).toMatchObject({ claim: 'blacklist', choices });
  });

  it('v1.03 3.5.2: without the bounded queue, a sender has more than one entry', () => {
    // With back-off, an honest answer that repeats an aggregate would already be a second entry.
    const { broken } = checkModel({ nodes: 3, timers: 0, byzantine: 1, backOff: false, without: ['bounded-queue'] });
    const choices = [
      'node 0 is Byzantine',
      'node 2 receives an injected message, from 0: level 2, {0}',
      'node 2 receives an injected message, from 0: level 2, {1}',
    ];
    expect(broken).toMatchObject({ claim: 'memory', choices });
  });

  it('v1.03 6: without the flag of a complete level, no node falls silent, unless nodes back off', () => {
    const { broken } = checkModel({ nodes: 2, timers: 0, backOff: false, without: ['level-flag'] });
    expect(broken).toMatchObject({ claim: 'silence', choices: [] });
    expect(broken?.fairEnd.slice(0, 2)).toEqual(['node 0 starts', 'node 1 starts']);
    expect(checkModel({ nodes: 2, timers: 0, without: ['level-flag'] }).broken).toBeUndefined();
  });
});

describe('a defective node is detected', () => {
  it('that treats invalid contributions as valid', () => {
    class Credulous extends HandelNode {
      override onVerified(ticket: number): void {
        super.onVerified(ticket, true);
      }
    }
    const node: ModelCheckerOptions['node'] = (options) => new Credulous(options);
    const { broken } = checkModel({ nodes: 3, timers: 0, byzantine: 1, injections: 1, threshold: 2, node });
    expect(broken).toMatchObject({ claim: 'outputs', what: expect.stringContaining('expected a valid output') });
  });

  it('that drops a message while busy, and never receives it again after the others have finished', () => {
    class Forgetful extends HandelNode {
      override onMessage(...message: Parameters<HandelNode['onMessage']>): void {
        if (this.inspector.checking.length === 0) super.onMessage(...message);
      }

      override onTimer(): void {}
    }
    const node: ModelCheckerOptions['node'] = (options) => new Forgetful(options);
    expect(checkModel({ nodes: 3, timers: 0, node }).broken?.claim).toBe('termination');
  });

  it('that throws, with the call that caused it', () => {
    class Brittle extends HandelNode {
      override onMessage(...message: Parameters<HandelNode['onMessage']>): void {
        if (this.inspector.bestOutput > 0) throw new TypeError('done already');
        super.onMessage(...message);
      }
    }
    const node: ModelCheckerOptions['node'] = (options) => new Brittle(options);
    const { broken } = checkModel({ nodes: 2, timers: 0, repeats: 1, node });
    expect(broken).toMatchObject({ claim: 'no-throw', what: 'TypeError: done already' });
    expect(broken?.choices.at(-1)).toMatch(/^node 0 receives/);
  });
});

function worldAfter(setting: ModelSetting, way: readonly number[]): SmallWorld {
  const world = new SmallWorld(setting);
  for (const chosen of way) world.apply(chosen);
  return world;
}

/** Returns the choices of the state at the end of a path, each with the state that follows. */
function future(setting: ModelSetting, way: readonly number[]): Map<number, string> {
  const choices = worldAfter(setting, way).choices();
  return new Map(choices.map((chosen) => [chosen, stateKey(worldAfter(setting, [...way, chosen]))]));
}

describe('stateKey', () => {
  it.each<ModelCheckerOptions>([
    { nodes: 2, timers: 1, losses: 1, repeats: 1 },
    { nodes: 3, timers: 1, losses: 1, depth: 6 },
    { nodes: 3, timers: 1, byzantine: 1, injections: 2, depth: 3 },
    { nodes: 4, timers: 1, depth: 5 },
  ])('gives states of one key the same future: %j', (options) => {
    const setting = settingOf(options);
    const first = new Map<string, number[]>();
    let ways: number[][] = [[]];
    let met = 0;
    for (let depth = 0; ways.length > 0 && depth < (options.depth ?? 100); depth++) {
      const longer: number[][] = [];
      for (const way of ways) {
        for (const [chosen, key] of future(setting, way)) {
          const another = [...way, chosen];
          const known = first.get(key);
          if (known === undefined) {
            first.set(key, another);
            longer.push(another);
          } else if (met++ % 17 === 0) {
            expect(future(setting, another)).toEqual(future(setting, known));
          }
        }
      }
      ways = longer;
    }
    expect(met).toBeGreaterThan(100);
  });

  it.each([
    ['started', true],
    ['timerSet', true],
    ['fired', 1],
    ['output', 1],
    ['invalidFrom', 1],
  ] as const)('distinguishes states that differ in %s of one node', (field, other) => {
    const world = new SmallWorld(settingOf({ nodes: 2, timers: 1 }));
    const before = stateKey(world);
    Object.assign(world.records[0]!, { [field]: other });
    expect(stateKey(world)).not.toBe(before);
  });

  it('distinguishes states that differ in one message, one remaining loss, or the Byzantine node', () => {
    const setting = settingOf({ nodes: 3, losses: 1, byzantine: 1 });
    const casts = worldAfter(setting, [])
      .choices()
      .map((cast) => [cast]);
    const starts = casts.flatMap((way) =>
      worldAfter(setting, way)
        .choices()
        .slice(0, 2)
        .map((next) => [...way, next]),
    );
    const losses = starts.map((way) => [...way, worldAfter(setting, way).choices().at(-1)!]);
    const keys = [[], ...casts, ...starts, ...losses].map((way) => stateKey(worldAfter(setting, way)));
    expect(new Set(keys).size).toBe(keys.length);
  });
});
