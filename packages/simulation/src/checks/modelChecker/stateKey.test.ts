import { describe, expect, it } from 'vitest';
import { type ModelCheckerOptions, type ModelSetting, settingOf } from './setting.ts';
import { SmallWorld } from './smallWorld.ts';
import { stateKey } from './stateKey.ts';

/** Returns the world after the choices of a path. */
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
    ['started', false],
    ['timerSet', false],
    ['fired', 1],
    ['output', 1],
    ['invalidFrom', 1],
  ] as const)('distinguishes states that differ in %s of one node', (field, other) => {
    const world = new SmallWorld(settingOf({ nodes: 2, timers: 1 }));
    const record = world.records[0] as unknown as Record<string, unknown>;
    const values = [record[field], typeof other === 'boolean' ? !record[field] : Number(record[field]) + other];
    const keys = values.map((value) => {
      record[field] = value;
      return stateKey(world);
    });
    expect(keys[0]).not.toBe(keys[1]);
  });

  it('distinguishes states that differ in one message, one remaining loss, or the Byzantine node', () => {
    const setting = settingOf({ nodes: 3, losses: 1, byzantine: 1 });
    const start = worldAfter(setting, []);
    const keys = [stateKey(start)];
    for (const cast of start.choices()) {
      keys.push(stateKey(worldAfter(setting, [cast])));
      for (const next of worldAfter(setting, [cast]).choices().slice(0, 2)) {
        keys.push(stateKey(worldAfter(setting, [cast, next])));
        const lost = worldAfter(setting, [cast, next]).choices().at(-1)!;
        keys.push(stateKey(worldAfter(setting, [cast, next, lost])));
      }
    }
    expect(new Set(keys).size).toBe(keys.length);
  });
});
