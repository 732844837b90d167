/** Replaces the kernels as text and native blst in the pages, which use neither. */
export async function inlined(): Promise<never> {
  throw new Error('pages load the kernel from a file');
}

export async function loadNative(): Promise<never> {
  throw new Error('pages cannot load native blst');
}
