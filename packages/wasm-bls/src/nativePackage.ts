/** The package of native blst. In a variable where it is imported: bundlers for browsers must not look for it. */
export const nativePackage = '@chainsafe/blst';

/** Whether this is Node, and the engine `native` is installed beside this package. */
export function isNativeInstalled(): boolean {
  try {
    globalThis.process
      .getBuiltinModule('node:module')
      .createRequire(import.meta.url)
      .resolve(nativePackage);
    return true;
  } catch {
    return false;
  }
}
