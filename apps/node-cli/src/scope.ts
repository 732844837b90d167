/**
 * Owns the resources that a command has opened: sockets, locks, files, servers. Closes them in reverse order, so that
 * later resources can still use earlier ones.
 */
export class Scope {
  readonly #open: { readonly value: unknown; readonly close: () => unknown }[] = [];

  /**
   * Makes the scope close a value.
   *
   * @returns the value.
   */
  own<T>(value: T, close: (value: T) => unknown): T {
    this.#open.push({ value, close: () => close(value) });
    return value;
  }

  /** Transfers a value to another owner, which closes it from now on. */
  handOver(value: unknown): void {
    const index = this.#open.findIndex((one) => one.value === value);
    if (index >= 0) this.#open.splice(index, 1);
  }

  /**
   * Closes everything, even after a close that fails.
   *
   * @throws the first failure.
   */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const { close } of this.#open.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/**
 * Runs a task with a scope, which is closed when the task returns or throws.
 *
 * @throws the task's error; otherwise the error of closing.
 */
export async function inScope<T>(task: (scope: Scope) => Promise<T>): Promise<T> {
  const scope = new Scope();
  let result: T;
  try {
    result = await task(scope);
  } catch (error) {
    // The first error is the cause; one from closing would hide it.
    await scope.close().catch(() => {});
    throw error;
  }
  await scope.close();
  return result;
}
