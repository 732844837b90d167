/** Replaces, in the pages, the kernels as text and native blst, which no page has. */
export async function inlined(): Promise<never> {
  throw new Error('the kernel is stored next to the pages');
}

export async function loadNative(): Promise<never> {
  throw new Error('no page has native blst');
}
