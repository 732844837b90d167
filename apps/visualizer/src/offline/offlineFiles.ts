/**
 * The built files that a page fetches, relative to its folder, each page by its name and the first one also by its
 * folder. No page fetches its title card, or the kernel of blst's own arithmetic.
 */
export function offlineFiles(built: readonly string[]): readonly string[] {
  const kept = built
    .filter((name) => !/\.gz$|^sw\.js$|^headers\.json$|^card\.png$|tutti_bls_upstream/.test(name))
    .toSorted();
  return kept.map((name) => (name === 'index.html' ? './' : `./${name}`));
}
