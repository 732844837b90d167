/**
 * Installs the Debian packages that `tutti testbed` needs, if they are missing and may be installed. Otherwise its
 * tests are skipped, and report what is missing.
 */
export default async function setUp({ runs, installDebians }) {
  if (!(runs('socat', '-V') && runs('ip', '-V'))) await installDebians('socat iproute2');
  return {};
}
