import { describe, expect, it } from 'vitest';
import { globalTopicLoad } from './globalTopic.ts';
import { defaultHornParameters } from './parameters.ts';

describe('the global topic', () => {
  it("Horn, 'A strawman proposal': 32,768 messages of 64 + 192 bytes against 512 collections", () => {
    const strawman = { messages: 32_768, bitfieldBytes: 64, bytes: 8_388_608 };
    expect(globalTopicLoad('strawman', defaultHornParameters, 2)).toEqual(strawman);
    const horn = { messages: 512, bitfieldBytes: 4096, bytes: 2_097_152 };
    expect(globalTopicLoad('horn', defaultHornParameters, 0)).toEqual(horn);
    expect(globalTopicLoad('horn', defaultHornParameters, 1).bytes).toBe(2_146_304);
    expect(globalTopicLoad('horn', defaultHornParameters, 2).bytes).toBe(2_195_456);
    expect(globalTopicLoad('status-quo', defaultHornParameters, 2).messages).toBe(1024);
  });

  it('has bitfields of whole bytes if a committee is not a multiple of eight', () => {
    const parameters = { ...defaultHornParameters, validators: 33, committees: 3, subcommittees: 1, collectors: 2 };
    expect(globalTopicLoad('horn', parameters, 0)).toEqual({ messages: 6, bitfieldBytes: 2, bytes: 12 });
  });
});
