/** Properties of a new element. `data-` attributes are given in `dataset`, without the prefix. */
type Properties<E> = Partial<Omit<E, 'dataset'>> & { readonly dataset?: Readonly<Record<string, string>> };

/** Creates an element with the given properties and children. */
export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  { dataset, ...properties }: Properties<HTMLElementTagNameMap[Name]> = {},
  ...inside: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  Object.assign(element.dataset, dataset);
  element.append(...inside);
  return element;
}
