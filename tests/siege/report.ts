import type { Siege } from './besieged.ts';

/** The page that `npm run siege` writes. */
export function siegePage(sieges: readonly Siege[], seconds: number): string {
  const rows = sieges.map(({ target, attacks, sent, rounds, lost, refused, grownMb, descriptorsLeft }) => {
    const codes = Object.entries(refused)
      .filter(([, times]) => times > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, times]) => `${code} ${times.toLocaleString('en')}`);
    return `| ${target} | ${attacks.join(', ')} | ${sent.toLocaleString('en')} | ${rounds.toLocaleString('en')} | ${lost.length} | ${grownMb.toFixed(1)} | ${descriptorsLeft} | ${codes.join(', ')} |`;
  });
  return `# The siege

*Source: [\`tests/siege/\`](../../tests/siege/besieged.ts). Written by \`npm run siege -- --seconds ${seconds}\`.*

Each target goes on with its work, round after round, while it is attacked for ${seconds} s. A round is lost when not every honest node has a multi-signature that verifies after 90 s, less the time in which they, or the siege, stood ready and were given no core. Memory is measured at half of the time and at the end: what
the process holds after a collection, or, where the target is processes of its own, what they have resident. Descriptors are those that are left when all is closed, or, of a target's own processes, those that they have more at the end than at half of the time. The cluster and the three nodes run at once; the members that certify heights run concurrently with all others, for 180 s at least.
The same sieges are part of \`npm test\`, each until it has seen every refusal; with \`CI\` set they last a minute each. The long run is \`npm run siege\`, ten minutes each.

| target | attacks | sent | rounds | lost | MB grown | descriptors left | refused, by code |
|---|---|---:|---:|---:|---:|---:|---|
${rows.join('\n')}

**What it is.** *Flood*: random bytes. *Replay*, *forge*, *misdirect*: packets that were overheard, sent again, with a bit changed, and to another. *Half-open*: connections that say nothing, or stop in the middle of a word. *Rooms, names, connections*: one address takes all that it can, and
joins by a member's name. *Foreign page, rebound name*: another origin, and a host name that is not the server's. *Lying server*: each signal is carried altered, as it is, and again; after each the server says that its sender left and came back, and
repeats up to 64 recorded signals of that sender; and that a member came who shows another's card. *Full disk*: \`--json-lines /dev/full\`. *Frozen clock*: \`Date.now\` stands still in every process, over kills. *Kill and restart*: of the cluster, one of its processes,
whereupon it is to end in one line with nothing half-written and no process left, and is started again; of \`tutti node\`, one of three in each round. *Kill and restart, stop, clock steps, forks*: of 16 members that certify heights, six are killed, stopped for seconds, or given a wall clock that is up to an hour off, and for one height in eight two messages are proposed. At any time they have three times as many messages as places. Then the load falls. A height is lost where a quorum approved it and a member that was left alone has no certificate of it after four times the bursts that the backlog holds, and ten more. A second signature for one height is a loss too. *Bad requests, ranges, half requests, aborted ones*: methods, targets, headers and bodies that a server may not have thought of, some with bytes changed, in up to four pieces, cut off or not; 64 at once to each server, after which it must answer a plain request as ever. What is counted are the statuses of its answers.

**What it is not.** All is on one machine; the attackers have its one address and share its cores, so that nothing is said about a link that is full. Attacks by members of a round are [elsewhere](../../docs/concepts/attacks.md); inputs that nobody would send in good faith are those of \`npm run fuzz\`.
`;
}
