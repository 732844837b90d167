/**
 * Parts of the kernels for other schemes on BLS12-381: the group G1 on either library, the checks of arguments and the
 * encodings that the schemes of this package use. An application needs none of them.
 *
 * @packageDocumentation
 */
export {
  misuse,
  requireBytes,
  requireBytesList,
  requireDomain,
  requireLength,
  requireList,
  requireMethods,
  requireObject,
  requireSome,
  shown,
} from './arguments.ts';
export { compressed, type G1Group, infinities, joinBytes, slicePoints } from './group/group.ts';
export { loadG1 } from './group/load.ts';
export { publicKeyBytes, publicKeyPointBytes, secretKeyBytes } from './suite.ts';
export { uint32Bytes } from './uint32.ts';
