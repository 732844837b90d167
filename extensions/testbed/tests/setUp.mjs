/**
 * Installs Debian's packages of what `tutti testbed` is made with where we may and they are not there. Elsewhere its tests
 * are skipped and say what they lack.
 */
export default async function setUp({ runs, installDebians }) {
  if (!(runs('socat', '-V') && runs('ip', '-V'))) await installDebians('socat iproute2');
  return {};
}
