import { insecureSecretKey, loadBls } from '@tutti/wasm-bls';
import { expect, it } from 'vitest';
import { hashGenerators, loadG1, proofSetting, prove, verifyBatch, verifyProof } from '../src/index.ts';

/** Arguments of any type, as an untyped program may pass them. */
// biome-ignore lint/suspicious/noExplicitAny: that is the point.
type Anything = any;

const call = (what: Anything, ...args: Anything[]) => (() => what(...args)) as () => unknown;
const [bls, group] = await Promise.all([loadBls({ engine: 'noble' }), loadG1({ engine: 'noble' })]);
const key = bls.publicKey(insecureSecretKey(bls, 1, 0));
const setting = proofSetting(group, [key], hashGenerators(group, 1));
const signed = Uint8Array.of(1);

it.each<[string, () => unknown, string]>([
  ['generators of no group', call(hashGenerators, undefined, 2), 'group: expected an object, got undefined'],
  ['a setting of no group', call(proofSetting, {}), 'group.decode: expected a function, got undefined'],
  ['a setting of no generators', call(proofSetting, group, [key]), 'generators: expected an object, got undefined'],
  ['a proof in no setting', call(prove, undefined, signed), 'setting: expected an object, got undefined'],
  ['a proof of nothing', call(prove, setting), 'multiplicities: expected a Uint8Array, got undefined'],
  ['nothing to verify', call(verifyProof, setting), 'proved: expected an object, got undefined'],
  ['no statement', call(verifyProof, setting, { proof: key }), 'statement: expected an object, got undefined'],
  ['a batch of no list', call(verifyBatch, setting, {}), 'proved: expected an array, got object'],
])('refuses %s in one line', (_, act, line) => {
  expect(act).toThrow(new TypeError(line));
});
