/** Pending requests for certificates, by the name of the message. */
export class Requesters<T> {
  readonly #requesters = new Map<
    string,
    { readonly resolve: (value: T) => void; readonly reject: (error: Error) => void }[]
  >();

  has(name: string): boolean {
    return this.#requesters.has(name);
  }

  /** Returns a promise of the certificate. */
  ask(name: string): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#requesters.set(name, [...(this.#requesters.get(name) ?? []), { resolve, reject }]);
    });
  }

  resolve(name: string, value: T): void {
    for (const { resolve } of this.#requesters.get(name) ?? []) resolve(value);
    this.#requesters.delete(name);
  }

  reject(name: string, error: Error): void {
    for (const { reject } of this.#requesters.get(name) ?? []) reject(error);
    this.#requesters.delete(name);
  }

  rejectAll(error: Error): void {
    for (const name of [...this.#requesters.keys()]) this.reject(name, error);
  }
}
