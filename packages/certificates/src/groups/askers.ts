/** Who asked for a certificate, by the name of its message. */
export class Askers<T> {
  readonly #askers = new Map<
    string,
    { readonly resolve: (value: T) => void; readonly reject: (error: Error) => void }[]
  >();

  has(name: string): boolean {
    return this.#askers.has(name);
  }

  /** A promise of what is asked for. */
  ask(name: string): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#askers.set(name, [...(this.#askers.get(name) ?? []), { resolve, reject }]);
    });
  }

  resolve(name: string, value: T): void {
    for (const { resolve } of this.#askers.get(name) ?? []) resolve(value);
    this.#askers.delete(name);
  }

  reject(name: string, error: Error): void {
    for (const { reject } of this.#askers.get(name) ?? []) reject(error);
    this.#askers.delete(name);
  }

  rejectAll(error: Error): void {
    for (const name of [...this.#askers.keys()]) this.reject(name, error);
  }
}
