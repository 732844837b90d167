import { wrapped } from './output/text.ts';

/** Text below the flags of a command in help. */
export interface Notes {
  /** Arguments of `tutti`, after the command's name. */
  readonly examples: readonly string[];
  /** Names of pages in `docs/`, without `.md`. */
  readonly pages: readonly string[];
}

/** Notes on each command: example command lines, and names of further pages. */
export const notes: Readonly<Record<string, Notes>> = {
  simulate: {
    examples: [
      '--nodes 4096 --dead 0.2',
      '--attack invalid:0.3 --check',
      '--nodes 256 --seed 7 --record run.tutti',
      '--seeds 30 --vary dead=0,0.2 --out runs.parquet',
    ],
    pages: [
      'guides/simulate',
      'concepts/handel',
      'concepts/tree',
      'concepts/batch-verification',
      'concepts/attacks',
      'guides/faults',
      'research/calibrated-model',
    ],
  },
  open: { examples: ['--nodes 256 --dead 0.2', '--attack flood:0.3 --no-browser'], pages: ['guides/visualizer'] },
  export: {
    examples: ['run.tutti --perfetto run.pftrace', 'run.tutti --shiviz run.log --max-nodes 32'],
    pages: ['guides/export-results', 'reference/recording-format'],
  },
  cluster: {
    examples: [
      '--nodes 16 --out hello.json',
      '--nodes 64 --latency aws --rounds 3',
      '--nodes 64 --dead 0.2 --attack invalid:0.2',
      '--nodes 64 --protocol all',
      '--protocol horn --validators 1024 --nodes 64 --committees 2',
    ],
    pages: ['guides/local-cluster', 'concepts/rounds', 'research/horn/index'],
  },
  'registry keygen': {
    examples: ['--host 192.0.2.1 --out alice.json', '--count 3 --transport tcp'],
    pages: ['guides/three-machines', 'reference/registry'],
  },
  'registry make': {
    examples: ['alice.json bob.json carol.json', '--insecure-keys 8 --out test.json'],
    pages: ['guides/three-machines', 'reference/registry'],
  },
  'registry sign': {
    examples: ['registry.json --key alice.secrets.json --out alice.part.json'],
    pages: ['guides/three-machines', 'reference/registry'],
  },
  'registry beacon': {
    examples: ['registry.json alice.part.json bob.part.json'],
    pages: ['guides/three-machines', 'reference/registry'],
  },
  'registry check': { examples: ['registry.json', 'registry.json --json'], pages: ['reference/registry'] },
  'registry show': { examples: ['registry.json', 'registry.json --json'], pages: ['reference/registry'] },
  node: {
    examples: [
      '--registry registry.json --key alice.secrets.json --out-folder signed',
      "--registry registry.json --key alice.secrets.json --every 10 --message 'block {round}'",
      "--room-link 'http://192.0.2.1:8080/#live=tutti' --label alice",
    ],
    pages: ['guides/three-machines', 'guides/run-a-node', 'concepts/rounds', 'guides/live-room'],
  },
  verify: {
    examples: ['hello.json --registry hello.registry.json', 'signed/round-7.json --registry registry.json --json'],
    pages: ['start/quickstart', 'guides/local-cluster', 'reference/registry', 'guides/bls-compatibility'],
  },
  serve: {
    examples: ['--port 8080', '--lan', '--live', '--live --room tutti --host 127.0.0.1'],
    pages: ['guides/live-room'],
  },
  'node status': {
    examples: ['--http 127.0.0.1:8080', '--http unix:/run/tutti/api'],
    pages: ['guides/run-a-node', 'guides/certificates'],
  },
  'node log show': {
    examples: ['alice.secrets.json.signed', 'alice.secrets.json.signed --json'],
    pages: ['guides/signed-log'],
  },
  'node log export': {
    examples: ['alice.secrets.json.signed --registry registry.json --out alice.interchange.json'],
    pages: ['guides/signed-log', 'guides/certificates'],
  },
  'node log import': {
    examples: ['alice.secrets.json.signed alice.interchange.json --registry registry.json'],
    pages: ['guides/signed-log', 'guides/certificates'],
  },
  'serve signal': {
    examples: ['--port 8081', '--origin https://page.example --name signal.example --behind-proxy'],
    pages: ['guides/live-room', 'reference/transports'],
  },
  figures: {
    examples: ['--quick', '--only fig3,fig5', '--out-folder thesis --background transparent'],
    pages: ['research/figures', 'benchmarks/paper-figures'],
  },
  'claims check': {
    examples: ['--nodes 3 --losses 1', '--nodes 4 --byzantine 1 --injections 1 --states 100000'],
    pages: ['research/model-checker'],
  },
  'claims swarm': {
    examples: ['--seeds 200', '--from 1e6 --seeds 200', '--without blacklist'],
    pages: ['research/swarm'],
  },
  'attack search': {
    examples: ['--minutes 10', '--nodes 512 --share 0.45 --ids chosen', '--objective last --verify-ms 4,15'],
    pages: ['research/attack-search', 'concepts/attacks'],
  },
  'attack table': {
    examples: ['--nodes 256 --shares 0.3', '--nodes 1024,2048 --write attacks.md'],
    pages: ['benchmarks/paper-figures', 'concepts/attacks'],
  },
  sweep: {
    examples: ['sweep.json --out results.jsonl', 'sweep.json --out results.parquet'],
    pages: ['guides/sweep', 'guides/export-results', 'reference/scenario-schema'],
  },
  compare: {
    examples: ['before.parquet after.parquet', 'before.jsonl after.jsonl --markdown'],
    pages: ['guides/export-results', 'guides/sweep'],
  },
  plot: {
    examples: [
      'runs.parquet --x dead --y time --by protocol --svg time.svg',
      'runs.parquet --x nodes --y bytesSent --log',
    ],
    pages: ['guides/export-results', 'guides/sweep'],
  },
  cite: { examples: ['', '--json'], pages: ['guides/export-results'] },
  'bench simulation': { examples: ['--nodes 1024 --runs 5', '--dead 0.2 --json'], pages: ['benchmarks/simulator'] },
  'bench horn': {
    examples: ['--nodes 2048', '--attack silent:0.3 --json'],
    pages: ['research/horn/verification', 'research/horn/slot-simulation'],
  },
  'bench kernel': {
    examples: ['--only verify', '--rounds 15 --only sum-512 --only batch-32'],
    pages: ['benchmarks/bls-kernel'],
  },
  'horn tables': { examples: ['--section sizes', '--preset electra --json'], pages: ['research/horn/index'] },
  'horn griefing': { examples: ['--share 0.2', '--slots 1000 --participation 0.9'], pages: ['research/horn/griefing'] },
  'horn systems': {
    examples: ['--preset post --nodes 16384', '--machine raspberry-pi-4 --dead 0.1'],
    pages: ['research/horn/slot-simulation'],
  },
  'slots network': {
    examples: ['--preset horn --slots 4', '--validators 65536 --beacon-nodes 2000 --links home'],
    pages: ['research/horn/network'],
  },
  'slots map': {
    examples: ['--preset horn --slot-seconds 6,12', '--vary links=home,gigabit --svg map.svg'],
    pages: ['research/horn/network'],
  },
  'slots sensitivity': {
    examples: ['--preset horn', "--change '--cores 1' --change '--links home'"],
    pages: ['research/horn/network'],
  },
  'slots arrivals': { examples: ['--client prysm', '--cores 4 --json'], pages: ['research/horn/validation'] },
  'slots proposals': {
    examples: ['--links home --distribution heavy-tailed', '--proposals none,bundles --json'],
    pages: ['research/horn/shorter-slots'],
  },
  'slots deadlines': {
    examples: [
      '--seeds 3 --svg grid.svg --out grid.parquet',
      '--slot-seconds 10 --attest-ms 2500,3000 --aggregate-ms 5000,6000',
    ],
    pages: ['research/horn/deadlines'],
  },
  'slots compare-simulators': {
    examples: ['examples/shadow/val10-500.yaml', 'experiment.yaml --network aws --json'],
    pages: ['research/horn/validation'],
  },
  'horn open-questions': {
    examples: ['--slots 4', '--out questions.csv'],
    pages: ['research/horn/network', 'guides/export-results'],
  },
  'horn sensitivity': {
    examples: ['--nodes 65536', '--machine epyc-wasm --svg costs.svg'],
    pages: ['research/horn/slot-simulation'],
  },
  'bench collections': {
    examples: ['--collections 8 --committee 4096', '--threads all --participation 0.66,0.99'],
    pages: ['research/horn/verification'],
  },
  'lean slot': {
    examples: ['--strategy window', '--subnets 8 --role silent:0.25', '--profile lean-2026-06 --json'],
    pages: ['research/lean'],
  },
  'lean strategies': {
    examples: ['--subnets 16 --ideal', '--subnets 4 --strategies spec,halving-owners', '--subnets 16 --json'],
    pages: ['research/lean'],
  },
  'lean chain': { examples: ['--story budget', '--story slow --slots 512 --json'], pages: ['research/lean'] },
  'lean rules': {
    examples: ['--rule window-skip --subnets 4 --owners 0,2', '--rule halving-owners', '--rule tree --silent 1 --json'],
    pages: ['research/lean'],
  },
  'lean map': {
    examples: ['--subnets 4 --cores 16', '--subnets 16 --deadlines 4000,8000 --json'],
    pages: ['research/lean'],
  },
  'lean profile': { examples: ['lean-2026-09'], pages: ['research/lean'] },
};

/** Notes on the built-in commands and on loaded extensions. */
const known = new Map(Object.entries(notes));

export function addNotes(more: Readonly<Record<string, Notes>>): void {
  for (const [path, added] of Object.entries(more)) known.set(path, added);
}

/** Maximum width of the notes, columns. */
const helpColumns = 80;

/** Location of the docs for an installed command, in which the docs are part of the page. */
const place = "under docs/ at the address that 'tutti serve' prints";

/** Returns the help text below the flags of a command; empty for a name without notes. */
export function notesOf(path: string): string {
  const found = known.get(path);
  if (found === undefined) return '';
  return notesText(
    found.examples.map((example) => `tutti ${path} ${example}`.trimEnd()),
    found.pages,
  );
}

/** Maximum number of examples in the help of a group. */
const maxOfGroup = 4;

/**
 * Returns the help text below the commands of a group: the first example of each command, up to the maximum number of
 * examples.
 */
export function notesOfGroup(group: string): string {
  const within = [...known].filter(([path]) => path.startsWith(`${group} `));
  const examples = within.slice(0, maxOfGroup).map(([path, { examples }]) => `tutti ${path} ${examples[0]}`);
  return notesText(examples, [...new Set(within.flatMap(([, { pages }]) => pages))]);
}

function notesText(commandLines: readonly string[], pages: readonly string[]): string {
  const docs = wrapped(`Docs: ${pages.join(', ')}; ${place}.`, helpColumns);
  return `\nExamples:\n${commandLines.map(folded).join('\n')}\n\n${docs}`;
}

/** Help text below the list of commands. */
export const programNotes = `
Examples:
  tutti simulate --nodes 4096 --dead 0.2
  tutti cluster --nodes 16 --out hello.json
  tutti verify hello.json --registry hello.registry.json

${wrapped(`'tutti help COMMAND' has a command's flags and examples. The docs are ${place}.`, helpColumns)}`;

/** Wraps a command line to at most 80 columns, in a form that a shell accepts. */
function folded(line: string): string {
  return `  ${line.replaceAll(/(.{1,74})(?: (?=--)|$)/g, '$1 \\\n    ')}`.replace(/ \\\n *$/, '');
}
