import { validateScenario } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { extents, scenariosFor } from './experiments/experiment.ts';
import { experiments } from './index.ts';

describe('every experiment', () => {
  it('has a unique id that can be an element of a list', () => {
    const ids = experiments.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9-]+$/);
  });

  it.each([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17])('includes figure %i of the paper', (number) => {
    expect(experiments.find(({ id }) => id === `fig${number}`)?.section).toContain(`figure ${number}`);
  });

  describe.each(experiments.map((experiment) => [experiment.id, experiment] as const))('%s', (_id, experiment) => {
    it.each(extents)('has valid runs at extent %s', (extent) => {
      for (const scenario of scenariosFor(experiment, extent)) validateScenario(scenario);
    });

    it('has marks that its axes can show: names or numbers, over 0 on a logarithmic axis, each once', () => {
      for (const { x, series } of experiment.charts('full')) {
        for (const { samples } of series) {
          const places = samples.map((sample) => sample.x);
          expect(new Set(places).size).toBe(places.length);
          for (const place of places) {
            expect(typeof place).toBe(x.scale === 'names' ? 'string' : 'number');
            if (x.scale !== 'names') expect(place).toBeGreaterThanOrEqual(x.scale === 'log' ? 1 : 0);
          }
        }
      }
    });

    it('has different names of series, so that a verdict can select each', () => {
      const names = experiment.charts('full').flatMap(({ series }) => series.map(({ name }) => name));
      expect(new Set(names).size).toBe(names.length);
    });
  });
});
