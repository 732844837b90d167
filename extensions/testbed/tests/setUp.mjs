/**
 * Installs the Debian packages that `tutti testbed` needs, if they are missing and may be installed. If packages are
 * still missing, the testbed's tests are skipped, and report the missing packages.
 */
export default async function setUp({ runs, installDebians }) {
  if (!(runs('socat', '-V') && runs('ip', '-V'))) await installDebians('socat iproute2');
  return {};
}
