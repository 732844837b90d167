/**
 * The built files that a page fetches (its title card is for others), relative to its folder, each page by its name and the first one also by its
 * folder.
 */
export function offlineFiles(built: readonly string[]): readonly string[] {
  const kept = built.filter((name) => !/\.gz$|^sw\.js$|^headers\.json$|^card\.png$/.test(name)).toSorted();
  return kept.map((name) => (name === 'index.html' ? './' : `./${name}`));
}
