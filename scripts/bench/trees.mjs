/**
 * `npm run bench -- tree`: time and load at sizes around powers of two, for the two trees; `npm run bench -- branching`:
 * of trees of 2, 4 and 8 children a subtree, over sizes, networks, dead and Byzantine nodes. Prints the table and writes it
 * to docs/records/bench-tree.md or bench-branching.md. All of it is virtual, so it is the same on every machine. `--max N`
 * stops at a smaller size.
 */
import { defaultScenario, loadNetwork, simulate } from '@tutti/simulation';
import { grouped } from '../markdown.mjs';
import { options, writeRecord } from './frame.mjs';

/** Cells that both tables have. */
const timeOf = ({ timeToThresholdMs: { mean, max } }) => `${grouped(mean)} / ${grouped(max)}`;
const reachedOf = ({ reached, live }) => (reached === live ? 'all' : `${grouped(reached)} of ${grouped(live)}`);
const times = (value, base) => (value / base).toFixed(2);

const sizes = [1000, 1023, 1024, 1025, 1040, 1056, 1088, 4000, 4095, 4096, 4097, 4160, 8192, 8320, 65_536, 65_537];
/** Beyond these the packed tree alone takes minutes and tells nothing new. */
const isTried = (tree, nodes, threshold) => tree === 'spread' || nodes <= 1088 || (threshold < 1 && nodes <= 4160);

/** With shorter starts one tier starts as long after the other as levels do in the binary tree. */
const ways = [
  { branching: 2, levelStartMs: 50 },
  { branching: 4, levelStartMs: 50 },
  { branching: 8, levelStartMs: 50 },
  { branching: 4, levelStartMs: 25 },
  { branching: 8, levelStartMs: 50 / 3 },
];
const troubles = [
  { name: 'nothing', change: {} },
  { name: '20 % dead', change: { dead: 0.2 } },
  ...['silent', 'flood', 'invalid'].map((name) => ({
    name: `30 % \`${name}\``,
    change: { attacks: [{ name, share: 0.3 }] },
  })),
];

/** Each table's scenarios, row by row, and a row of its run and of those before. */
const tables = {
  tree: {
    whole: 65_537,
    scenarios: [0.99, 1].flatMap((threshold) =>
      sizes.flatMap((nodes) =>
        ['packed', 'spread']
          .filter((tree) => isTried(tree, nodes, threshold))
          .map((tree) => ({ nodes, threshold, tree })),
      ),
    ),
    row({ nodes, threshold, tree }, run, before) {
      const { timeToThresholdMs: time, messagesSent, messagesReceived: received } = run;
      const powerBelow = 2 ** Math.floor(Math.log2(nodes));
      const below = [...before, run].find(
        ({ scenario }) => scenario.nodes === powerBelow && scenario.threshold === threshold && scenario.tree === tree,
      );
      return [
        grouped(nodes),
        `${threshold * 100} %`,
        tree === 'spread' ? 'spread (default)' : tree,
        timeOf(run),
        below === undefined ? '' : times(time.mean, below.timeToThresholdMs.mean),
        grouped(messagesSent.mean),
        grouped(received.max),
        times(received.max, received.mean),
        reachedOf(run),
      ];
    },
    page: (rows) => `# Sizes around powers of two, measured

*\`npm run bench -- tree\` writes this page: seed 1, the paper's parameters on its AWS network. [About the trees](../tree.md).*

| N | threshold | tree | time, mean / max, ms | to 2^k below | messages sent per node | most received by one | to the mean | reached it |
|---|---|---|---|---|---|---|---|---|
${rows}

Times are virtual, from the common start. \`to 2^k below\` compares the mean time with that of the greatest power of two not above N. The packed tree is left out where it takes minutes to play.
`,
  },
  branching: {
    whole: 4096,
    scenarios: [1024, 4096].flatMap((nodes) =>
      ['aws', 'cities'].flatMap((network) =>
        troubles.flatMap(({ change }) => ways.map((way) => ({ nodes, network, ...change, ...way }))),
      ),
    ),
    row({ nodes, network, branching, levelStartMs, dead = 0, attacks = [] }, run, before) {
      // The first way of each group is the binary tree.
      const base = [...before, run].findLast(({ scenario }) => scenario.branching === 2);
      const { timeToThresholdMs: time, messagesSent: sent, bytesSent, checked } = run;
      const trouble = troubles.find(({ change }) => (change.dead ?? 0) === dead && change.attacks?.[0] === attacks[0]);
      return [
        grouped(nodes),
        network,
        trouble.name,
        `${branching}${levelStartMs === 50 ? '' : ', tiers 50 ms apart'}`,
        timeOf(run),
        times(time.mean, base.timeToThresholdMs.mean),
        grouped(sent.mean),
        times(sent.mean, base.messagesSent.mean),
        grouped(bytesSent.mean / 1000),
        checked.mean.toFixed(1),
        times(checked.mean, base.checked.mean),
        reachedOf(run),
      ];
    },
    page: (rows) => `# Branching factors, measured

*\`npm run bench -- branching\` writes this page: seed 1, 99 %, the paper's parameters except where the table says otherwise. [About these trees](../branching.md).*

| N | network | in the way | branching | time, mean / max, ms | to 2 | messages sent per node | to 2 | kB sent | checked | to 2 | reached it |
|---|---|---|---|---|---|---|---|---|---|---|---|
${rows}

Times are virtual, from the common start; \`to 2\` compares with the binary tree of the row group, whose levels start 50 ms apart. A level of another tree starts when the level with the same own side does in the binary tree.
`,
  },
};

const [name, ...args] = process.argv.slice(2);
const { whole, scenarios, row, page } = tables[name];
const { max } = options({ max: whole }, args);
await loadNetwork('cities');
const runs = [];
const rows = scenarios
  .filter(({ nodes }) => nodes <= max)
  .map((change) => {
    const run = simulate({ ...defaultScenario, ...change });
    const cells = row(change, run, runs);
    runs.push(run);
    console.error(cells.join('  '));
    return `| ${cells.join(' | ')} |`;
  });
writeRecord(`bench-${name}`, page(rows.join('\n')), max >= whole);
