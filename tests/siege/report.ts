import type { Siege } from './besieged.ts';

/** Returns the page that `npm run siege` writes. */
export function siegePage(sieges: readonly Siege[], seconds: number): string {
  const rows = sieges.map(({ target, attacks, sent, rounds, lost, refused, grownMb, descriptorsLeft }) => {
    const codes = Object.entries(refused)
      .filter(([, times]) => times > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, times]) => `${code} ${times.toLocaleString('en')}`);
    return `| ${target} | ${attacks.join(', ')} | ${sent.toLocaleString('en')} | ${rounds.toLocaleString('en')} | ${lost.length} | ${grownMb.toFixed(1)} | ${descriptorsLeft} | ${codes.join(', ')} |`;
  });
  return `# Attack soak test

*Source: [\`tests/siege/\`](../../tests/siege/besieged.ts). Written by \`npm run siege -- --seconds ${seconds}\`.*

Each target repeats its normal work in rounds while it is attacked for ${seconds} s. A round is lost if an honest node has no
valid multi-signature after 90 s. This limit excludes time in which the node or the attacker was ready but got no CPU.
Memory growth is the difference between the middle and the end of the test: the heap after garbage collection, or the
resident memory if the target consists of separate processes. Descriptors are those that remain open after the target
is closed, or the growth of separate processes in the second half.

The cluster and the three nodes are attacked at the same time. The members that certify heights run in parallel with all
other targets, for at least 180 s. \`npm test\` attacks the live room until every rejection code has been seen. With \`CI\`
set, it attacks each target in this way, and then for one minute. \`npm run siege\` takes ten minutes per target.

| target | attacks | sent | rounds | lost | memory growth, MB | descriptors left | rejections by code |
|---|---|---:|---:|---:|---:|---:|---|
${rows.join('\n')}

## Attacks

| attack | description |
|---|---|
| flood | sends random bytes |
| replay, forge, misdirect | repeats captured packets unchanged, with one changed bit, or to another receiver |
| half-open | opens connections and sends nothing or an incomplete message |
| rooms, names, connections | one address opens as many rooms and connections as possible, and joins with a member's name |
| foreign page, rebound name | sends requests from another origin, or for a host name that does not belong to the server |
| Byzantine server | forwards each signal altered, unchanged and repeated; reports that the sender left and came back, and repeats up to 64 recorded signals of the sender; announces a member with another member's card |
| full disk | writes \`--json-lines\` to \`/dev/full\` |
| frozen clock | \`Date.now\` returns a constant in every process, also after restarts |
| kill and restart | kills one process of the cluster, which must end with one line, no incomplete file and no remaining process, and starts it again; kills one of the three \`tutti node\` processes in each round |
| kill and restart, stop, clock steps, forks | of 16 members that certify heights, six are killed, stopped for seconds, or get a clock that is up to an hour wrong; one height in eight has two proposed messages |
| bad requests, ranges, incomplete and aborted requests | sends invalid methods, targets, headers and bodies, some with changed bytes, in up to four pieces, complete or not, 64 at a time to each server; afterwards the server must answer a normal request. The counts are those of the response status codes |

**Heights.** The members have three times as many waiting messages as places at any time, and then the load ends. A height
is lost if a quorum approved it and a member that was not attacked has no certificate after four times as many rounds as
the queue needs, plus ten. A second signature for a height also counts as a loss.

## Limits

All processes run on one machine. The attackers share its address and cores, so the test does not cover a full network
link. [Attacks](../../docs/concepts/attacks.md) describes attacks by members of a round, and \`npm run fuzz\` tests random
inputs.
`;
}
