/** The package of native blst. */
export const nativePackage = '@chainsafe/blst';

/**
 * Returns Node's `require`, which finds packages next to this one, or undefined outside Node. Bundlers for browsers do
 * not follow it.
 */
function nodeRequire(): NodeJS.Require | undefined {
  return globalThis.process?.getBuiltinModule?.('node:module').createRequire(import.meta.url);
}

/** Returns whether this is Node and the engine `native` is installed. */
export function isNativeInstalled(): boolean {
  try {
    return nodeRequire()?.resolve(nativePackage) !== undefined;
  } catch {
    return false;
  }
}

/** Loads the package if it is installed. @throws whatever its loader throws. */
export function requireNative(): unknown {
  return nodeRequire()?.(nativePackage);
}
