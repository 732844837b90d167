/** The package of native blst. */
export const nativePackage = '@chainsafe/blst';

/**
 * Node's `require`, which finds packages beside this one; undefined outside Node. Bundlers for browsers do not follow it.
 */
function nodeRequire(): NodeJS.Require | undefined {
  return globalThis.process?.getBuiltinModule?.('node:module').createRequire(import.meta.url);
}

/** Whether this is Node, and the engine `native` is installed beside this package. */
export function isNativeInstalled(): boolean {
  try {
    return nodeRequire()?.resolve(nativePackage) !== undefined;
  } catch {
    return false;
  }
}

/** Loads the package where it is installed. @throws whatever its loader throws. */
export function requireNative(): unknown {
  return nodeRequire()?.(nativePackage);
}
