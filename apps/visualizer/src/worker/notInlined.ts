/** In the pages' stead of the kernels as text: there are none. */
export async function inlined(): Promise<never> {
  throw new Error('the kernel lies beside the pages');
}
