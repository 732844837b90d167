/**
 * Returns files that import each other in a cycle, with the first file at both ends, or undefined if there is no cycle.
 */
export function findCycle(imports: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const way: string[] = [];
  const search = (file: string): readonly string[] | undefined => {
    const before = way.indexOf(file);
    if (before !== -1) return [...way.slice(before), file];
    if (done.has(file)) return undefined;
    way.push(file);
    for (const next of imports.get(file) ?? []) {
      const found = search(next);
      if (found) return found;
    }
    way.pop();
    done.add(file);
    return undefined;
  };
  for (const file of imports.keys()) {
    const found = search(file);
    if (found) return found;
  }
  return undefined;
}
