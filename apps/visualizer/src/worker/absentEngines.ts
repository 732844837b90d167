/** Replaces, in the pages, the kernels as text and native blst, which no page has. */
export async function inlined(): Promise<never> {
  throw new Error('pages load the kernel from a file');
}

export async function loadNative(): Promise<never> {
  throw new Error('pages cannot load native blst');
}
