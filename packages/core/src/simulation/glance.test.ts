import { describe, expect, it } from 'vitest';
import { glanceFrom } from './glance.ts';
import { defaultScenario } from './scenario.ts';
import { simulate } from './simulation.ts';

describe('Glance', () => {
  it('changes nothing: runs give the digests that they gave before nodes were glanced at', () => {
    expect(simulate({ ...defaultScenario, nodes: glanceFrom }).digest).toBe('caa16449b24651a6');
  });
});
