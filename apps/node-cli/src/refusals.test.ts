import { mechanisms } from '@tutti/core';
import { attacks } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { rowsOf } from '../test/rowsOf.ts';
import { runMain, words } from '../test/runMain.ts';
import { networkChoices, networkFileForm } from './networkFile.ts';

const list = (named: readonly { readonly name: string }[]) => named.map(({ name }) => name).join(', ');

/** Command lines without `tutti`, in shell syntax. The error that each command line prints follows `=>`. */
const refused = `
--bogus => unknown option '--bogus'; see 'tutti --help'
attack search --ids mine => --ids: expected drawn or chosen, got "mine"
attack search --jobs many => --jobs: expected an integer from 1 to 1024, got "many"
attack search --minutes 0 => --minutes: expected a number greater than 0 and at most 10000, got "0"
attack search --nodes 3 => --nodes: expected an integer from 4 to 65536, got "3"
attack search --nodes 8 --weights 3x1 => --weights: expected one for each of 8 nodes, got 3
attack search --nodes 8 --weights pareto:1 --ids chosen --attack-share-of weight => attackBy with across-levels, which chooses its ids: expected nodes, got "weight"
attack search --objective worst => --objective: expected mean or last, got "worst"
attack search --share 0 => --share: expected a number greater than 0 and less than 0.5, got "0"
attack search --share 0.5 => --share: expected a number greater than 0 and less than 0.5, got "0.5"
attack search --tries 0 => --tries: expected an integer from 1 to 1000000, got "0"
attack search --verify-ms 4,slow => --verify-ms: expected milliseconds, a number from 0 to 600000, got "slow"
attack table --nodes 1024,7 => --nodes: expected an integer from 8 to 65536, got "7"
attack table --seeds 0 => --seeds: expected an integer from 1 to 1000, got "0"
attack table --shares 0.3,0.5 => --shares: expected shares greater than 0 and less than 0.5, got "0.5"
attack table --write '' => output: expected a name, got ""
bench collections --collections 0 => --collections: expected an integer from 1 to 8192, got "0"
bench collections --committee 7 => --committee: expected an integer from 8 to 32768, got "7"
bench collections --method magic => --method: expected naive or batched or subtraction or all, got "magic"
bench collections --participation 0.00004 => --participation: expected 2 votes of 32768 or more, got "0.00004"
bench collections --participation 0.5,2 => --participation: expected shares greater than 0 and at most 1, got "2"
bench collections --threads some => --threads: expected an integer from 1 to 256, or all, got "some"
bench kernel --only pairing => --only: expected key-derivation or hash-to-curve or sign or verify or verify-decoded or decode-key or decode-signature or decode-uncompressed or add or sum-512 or sum-4096 or sum-32768 or fast-aggregate-verify-4096 or batch-8 or batch-32 or batch-128 or distinct-8 or distinct-32 or distinct-128 or msm-4096, got "pairing"
claims check --byzantine 2 => --byzantine: expected an integer from 0 to 1, got "2"
claims check --injections 1 => --injections: expected --byzantine 1, got --byzantine 0
claims check --losses 16 => --losses: expected an integer from 0 to 15, got "16"
claims check --nodes 2 --threshold 3 => --threshold: expected an integer from 1 to 2, got 3
claims check --nodes 5 => --nodes: expected an integer from 2 to 4, got "5"
claims check --without sleep => --without: expected ${mechanisms.join(' or ')}, got "sleep"
claims swarm --from 4294967295 --seeds 2 => --seeds: expected at most 1 seed starting with 4294967295, got 2
claims swarm --scenario {} --seeds 2 => --seeds: cannot be combined with --scenario, which runs one scenario
cluster --committees 2 => --committees: cannot be combined with --protocol handel
cluster --protocol horn --period 20 => --period: cannot be combined with --protocol horn
cluster --impair loss=0.1,loss=0.2 => --impair: expected each impairment at most once, got "loss=0.1,loss=0.2"
cluster --emulate aws => unknown option '--emulate': it is now '--latency'; see 'tutti cluster --help'
cluster --out a --certificate a => output: expected a different file for each output, got a twice
cluster --out a.json --ports-file ./a.registry.json => output: expected a different file for each output, got ./a.registry.json twice
cluster --nodes 5000 => --nodes: expected an integer from 1 to 4096, got "5000"
cluster --nodes 8 --attack tickling:0.1 => --attack: expected NAME:SHARE, where NAME is one of silent, invalid, worthless, flood, equivocate, malformed, spoof, delay, eclipse, got "tickling:0.1"
cluster --nodes 8 --attack invalid:1 => --attack: expected a share from 0 to less than 1 after the colon, got "1"
cluster --nodes 8 --dead 0.5 --attack invalid:0.5 => --dead, --attack: expected at least 1 honest node among 8, got none
cluster --nodes 8 --protocol all --attack spoof:0.1 => --attack: expected one of silent, invalid, flood, equivocate, delay with --protocol complete-graph, got 'spoof'
cluster --nodes 8 --protocol all --certificate package.json => --certificate: valid only with one protocol
cluster --nodes 8 --protocol bittorrent => --protocol: expected handel or complete-graph or complete-graph-bulk or san-fermin or gossip or gossip-aggregates or horn or all, got "bittorrent"
cluster --timeout 0 => --timeout: expected seconds, a number greater than 0 and at most 3600, got "0"
cluster --protocol horn --subcommittees 3 --validators 96 => --subcommittees: expected a power of two, got 3
cluster --protocol horn --validators 768 => --validators: expected a power of two in each subcommittee, got 96; set --validators to a power of two times --committees times --subcommittees
cluster --protocol horn --validators 63 => --validators: expected a multiple of committees x subcommittees, 2 x 4, got 63
cluster --protocol horn --nodes 2000 => --nodes: expected at most 1024, one per validator, got 2000
cluster --protocol horn --dead 0.5 --attack invalid:0.5 --nodes 2 => --dead, --attack: expected at least 1 honest node among 2, got none
cluster --protocol horn --attack flood:0.1 => --attack: expected invalid, silent, worthless with --protocol horn, got 'flood'
compare a b --markdown --json => --markdown: cannot be combined with --json
completion tcsh => <shell>: expected bash or zsh or fish, got "tcsh"
figures --only fig5 --write-sweep x.json --json => --json: cannot be combined with --write-sweep, which runs nothing
figures --jobs 0 => --jobs: expected an integer from 1 to 1024, got "0"
figures --quick --tiny => option '--tiny' cannot be used with option '--quick'; see 'tutti figures --help'
figures --only fig3,fig5 --write-sweep x.json => --write-sweep: expected one figure in --only, got 2
help foo => unknown command 'foo'; see 'tutti --help'
horn beside F => unknown command 'horn beside': it is now 'tutti slots compare-simulators'
horn deadlines => unknown command 'horn deadlines': it is now 'tutti slots deadlines'
horn griefing --addition-ns 0 => --addition-ns: expected a number greater than 0 and at most 1000000, got "0"
horn griefing --participation 0 => --participation: expected a number from 0.001 to 1, got "0"
horn griefing --proof-ms long => --proof-ms: expected a number greater than 0 and at most 600000, got "long"
horn griefing --share 1 => --share: expected a number from 0 to 0.9, got "1"
horn griefing --slots 1 => --slots: expected an integer from 2 to 100000, got "1"
horn sensitivity --machine abacus => --machine: expected i9-11980HK or i7-8550U or raspberry-pi-4 or epyc-native or epyc-wasm, got "abacus"
horn systems --bach => unknown option '--bach' (Did you mean --batch?); see 'tutti horn systems --help'
horn systems --nodes 1024 => --nodes: expected at least 2048 for the systems of 'tutti slots network', or --preset post, got "1024"
horn systems --preset post --nodes 512 --committees 3 => --nodes: expected a multiple of committees x subcommittees, 3 x 1, got 512
horn systems --preset post --nodes 512 --committees 64 --subcommittees 1 --aggregators 8 --collectors 8 => --nodes: expected at least 2048 for 64 committees, to extrapolate Handel, got "512"
horn systems --preset post --nodes 512 --committees 1 --subcommittees 16 --verify-ms 17 => horn: the committee topic is overloaded, and the losses on this topic are not calibrated; make verifications faster (--machine, --batch, --verify-ms), or use --uncalibrated to compare anyway
horn tabels => unknown command 'tabels' (Did you mean tables?); see 'tutti horn --help'
export run => export: expected --perfetto FILE, --shiviz FILE or both, or --certificate FILE, got none of them
export run --registry r --certificate '' => output: expected a name, got ""
export run --max-nodes 0 => --max-nodes: expected an integer from 1 to 1048576, got "0"
export run --shiviz '' => output: expected a name, got ""
export run --shiviz - --perfetto - => output: expected a different file for each output, got - twice
export run --shiviz a --perfetto ./a => output: expected a different file for each output, got a twice
horn tables --aggregators 513 => --aggregators: expected an integer from 1 to 512, got 513
horn tables --committees 1 => validators of a committee: expected an integer from 2 to 131072, got 1048576
horn tables --multiplicity-bits 17 => --multiplicity-bits: expected an integer from 1 to 16, got "17"
horn tables --section trumpets => --section: expected sizes or global-topic or slot or verification or bandwidth or blocks or griefing or alternatives or election, got "trumpets"
horn tables --slot-seconds 0 => --slot-seconds: expected seconds, a number from 0.001 to 86400, got "0"
horn tables --subcommittees 3 => --validators: expected a multiple of committees x subcommittees, 32 x 3, got 1048576
horn tables --validators 0 => --validators: expected an integer from 1 to 16777216, got "0"
lean read F => unknown command 'lean read': it was removed; see docs/internals/rejected-ideas.md
lean chain --seed 4294967295 --seeds 2 => --seeds: expected at most 1 seed starting with 4294967295, got 2
lean rules --each 2 --subnets 5 => --each: expected at most 1 with --subnets 5, got 2
lean rules --owners 0,1,2,3,4,5,6,7,0 --subnets 8 => --owners: expected at most 8 subnets, separated by commas, got "0,1,2,3,4,5,6,7,0"
lean slot --role silent => --role: expected NAME:SHARE, where SHARE is from 0 to 1, got ""
lean slot --role silent:2 => --role: expected NAME:SHARE, where SHARE is from 0 to 1, got "2"
lean slot --role silent:0.6 --role late:0.6 => --role: expected shares with a sum of at most 1, got 1.2
node --registry r --key k --name a => --name: valid only with --http or --metrics-port
node --registry r --key k --metrics-host ::1 => --metrics-host: valid only with --metrics-port
node --registry r --key k --rounds-from stdin --every 2 => --every: cannot be combined with --rounds-from stdin, because the input starts the rounds and its end ends the node
node --registry r --key k --label a => --label: valid only with --room-link
node --out x => unknown option '--out': it is now '--out-folder'; see 'tutti node --help'
node status --http 127.0.0.1:1 --token-file /dev/null => --token-file: expected a file that contains a token, got an empty file
node --registry r --key k --approve all => --approve: valid only with --http
node --registry r --key k --http 127.0.0.1:0 --rounds 2 => --rounds: cannot be combined with --http
node --registry r --key k --require-height => --require-height: valid only with --http
node --room-link http://192.0.2.1/#live=a --key k => --room-link: cannot be combined with --registry or --key, because a member makes its keys when it joins
node --room-link http://192.0.2.1/#live=a --label <b> => --label: expected 1 to 24 letters and digits, with single spaces between them, got "<b>"
node --room-link http://192.0.2.1/#live=a --http 127.0.0.1:0 => --http: cannot be combined with --room-link
node => --registry: expected a file name, or --room-link with the link to a live room
open --no-browser --caption x => --caption: valid only with --single-file
open --no-browser --dead 0.6 --attack silent:0.6 => dead and Byzantine shares together: expected under 1, got 1.2
open --no-browser --link http://x/#n=8 --seed 2 => --seed: cannot be combined with --link, which defines the whole run
open --no-browser --page nowhere => --page: expected an http, https or file address, got "nowhere"
open --no-browser --protocol horn => --protocol horn: valid only with 'tutti simulate', because a link contains no slot
open --no-browser --single-file '' => output: expected a name, got ""
registry keygen --host node.example => --host: expected an IP address for udp, got "node.example"
registry make => registry make: expected files of 'tutti registry keygen', or --insecure-keys, got neither
registry make a --insecure-keys 2 => registry make: expected files or --insecure-keys, got both
registry make a --variant min-sig => --variant: valid only with --insecure-keys, because the merged files contain their keys and addresses
registry make --rehearsal=2 => unknown option '--rehearsal=2': it is now '--insecure-keys'; see 'tutti registry make --help'
registry make a --port 9000 => --port: valid only with --insecure-keys, because the merged files contain their keys and addresses
registry keygen --count 2 --port 65535 => --port: expected at most 65534 for 2 nodes, got 65535
serve --frame-ancestors ftp://a => --frame-ancestors: expected the origin of a page, such as https://page.example, or *, got "ftp://a"
serve --frame-ancestors https://* => --frame-ancestors: expected the origin of a page, such as https://page.example, or *, got "https://*"
serve --frame-ancestors https://a,b => --frame-ancestors: expected the origin of a page, such as https://page.example, or *, got "https://a,b"
serve --frame-ancestors https://a;sandbox => --frame-ancestors: expected the origin of a page, such as https://page.example, or *, got "https://a;sandbox"
serve --lan --live => --lan: cannot be combined with --live, which already listens on all addresses and prints a link
serve --origin https://a => --origin: valid only with --live, which opens the room
serve --max-share-per-address 0.5 => --max-share-per-address: valid only with --live, which opens the room
serve --room 'a b' => --room: expected 1 to 64 letters, digits, hyphens or underscores, got "a b"
serve --room a => --room: valid only with --live, which opens the room
serve signal --max-members 129 => --max-members: expected an integer from 1 to 128, got "129"
serve signal --port x => --port: expected an integer from 0 to 65535, got "x"
simulat => unknown command 'simulat' (Did you mean simulate?); see 'tutti --help'
simulate --fault-file '' => --fault-file: expected the name of a file, got ""
simulate --attack flod:0.2 => --attack: expected NAME:SHARE, where NAME is one of ${list(attacks)}, got "flod:0.2" (Did you mean flood?)
simulate --attack griefing:0.1 => --attack griefing: valid only with --protocol horn of 'tutti simulate'
simulate --attack silent:0.5 --dead 0.5 => dead and Byzantine shares together: expected under 1, got 1
simulate --attack silent:1 => --attack: expected a share from 0 to less than 1 after the colon, got "1"
simulate --branching 3 => --branching: expected 2 or 4 or 8, got "3"
simulate --candidates 2 => --candidates: valid only with --protocol san-fermin
simulate --dead 1 => --dead: expected a number from 0 to less than 1, got "1"
simulate --every-message => --every-message: valid only with --protocol horn or horn-status-quo or horn-strawman
simulate --jobs 2 => --jobs: valid only with --seeds or --vary
simulate --link http://x/ => --link: expected an address with a run after the #, got "http://x/"
simulate --link http://x/#n=1e9 => --link: n: expected an integer from 1 to 1048576, got "1e9"
simulate --link http://x/#n=8 --seed 2 => --seed: cannot be combined with --link, which defines the whole run
simulate --link http://x/#sed=2 => --link: sed: unknown name
simulate --network '' => --network: expected ${networkChoices}, got ""
simulate --network file: => --network: expected ${networkFileForm}, got "file:"
simulate --network awz => --network: expected ${networkChoices}, got "awz" (Did you mean aws?)
simulate --nodes 10 --dead 0.5 --threshold 6 => --threshold: expected at most the 5 live nodes of 10, got 6
simulate --nodes 9999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999 => --nodes: expected an integer from 1 to 1048576, got "9999999999999999999999999999999999999..."
simulate --nodes => option '-n, --nodes <n>' argument missing; see 'tutti simulate --help'
simulate --nodes=--json => --nodes: expected an integer from 1 to 1048576, got "--json"
simulate --out x.txt => --out: expected a file name that ends in .csv or .parquet, got "x.txt"
simulate --per-message-us 3 => --nodes-per-core: expected at least 1 if messages have a cost, got 0; use 1 to give each node its own core
simulate --protocol gossip --without window => --without: valid only with --protocol handel
simulate --protocol gossip --weights pareto:1 => --weights: valid only with --protocol handel or complete-graph
simulate --protocol horn --attack flood:0.1 => --attack: expected NAME:SHARE, where NAME is one of silent, griefing, worthless, late, got "flood:0.1"
simulate --protocol horn --every-message => --nodes: expected an integer from 1 to 32768, got 1048576
simulate --protocol horn --nodes 1000 --record x => --record: cannot be combined with --protocol horn
simulate --protocol horn --period 3 => --period: cannot be combined with --protocol horn
simulate --protocol horn --seeds 2 => --seeds: cannot be combined with --protocol horn
simulate --protocol horn-strawman --check => --check: cannot be combined with --protocol horn-strawman
simulate --protocol paxos => --protocol: expected handel or complete-graph or san-fermin or gossip or horn or horn-status-quo or horn-strawman, got "paxos"
simulate --reply-timeout 0 => --reply-timeout: expected milliseconds, a number from 0.001 to 3600000, got "0"
simulate --rounds 4 => --rounds: valid only with --protocol horn or horn-status-quo or horn-strawman
simulate --scheme BLS => --scheme: expected counting or bls, got "BLS" (Did you mean bls?)
simulate --no-sends => --no-sends: valid only with --record
simulate --habit none => unknown option '--habit': it was removed; see 'tutti simulate --help'
simulate --record '' => output: expected a name, got ""
simulate --seed 1-30 => --seed: expected one seed, got "1-30"; use --seeds N for N seeds that start with --seed
simulate --seeds 3 --out x.csv --no-sends => --no-sends: valid only with --record
simulate --vary dead=0,0.1 --out x.csv --machine i7-8550U => --machine: valid only with --protocol horn or horn-status-quo or horn-strawman
simulate --seeds 3 --out x.csv --check => --check: cannot be combined with --seeds or --vary
simulate --seeds 3 => --out: expected a file for the runs, .csv, .parquet or .jsonl, got none
simulate --threshold 0 => --threshold: expected a share greater than 0 and at most 1, or a count of at least 2, got "0"
simulate --threshold 5000 => --threshold: expected a share, or a count of at most 1024, got 5000
simulate --verify-ms 600001 => --verify-ms: expected milliseconds, a number from 0 to 600000, got "600001"
simulate extra => too many arguments for 'simulate': expected 0, got 1; see 'tutti simulate --help'
slots map --proposal gloas+tuba => --proposal: expected gloas or cap or bundles or batches or dvt or late, joined by +, or none, got "gloas+tuba"
slots map --slot-ms 4000 => unknown option '--slot-ms' (Did you mean one of --slot-seconds, --slot-range, --max-consecutive-slots?); see 'tutti slots map --help'
slots map --slot-range 9..3 => --slot-range: expected A..B, whole seconds from 1 to 600, got "9..3"
slots map --slot-range 2..3 --slot-seconds 2 => --slot-range: cannot be combined with --slot-seconds
slots map --vary cores=1 --vary cores=4 => --vary: expected each NAME at most once, got "cores, cores"
slots map --vary cores=4=8 => --vary: expected NAME=VALUE,VALUE, where NAME is one of machine, links, cores, client, key-sums, distribution, validators, beacon-nodes, subcommittees, aggregators, collectors, parts, proposal, participation, reserved, got "cores=4=8"
slots map --vary tuba=1 => --vary: expected NAME=VALUE,VALUE, where NAME is one of machine, links, cores, client, key-sums, distribution, validators, beacon-nodes, subcommittees, aggregators, collectors, parts, proposal, participation, reserved, got "tuba=1"
slots map --vary proposal=gloas+tuba => --vary proposal: expected gloas or cap or bundles or batches or dvt or late, joined by +, or none, got "gloas+tuba"
slots map --vary parts=1:2 => --vary parts: expected three or four positive numbers, separated by colons, got "1:2"
slots deadlines --proposals none,tuba => --proposals: expected gloas or cap or bundles or batches or dvt or late, joined by +, or none, got "tuba"
slots proposals --jobs 2 => unknown option '--jobs'; see 'tutti slots proposals --help'
slots network --beacon-nodes 3 => --beacon-nodes: expected an integer from 16 to 20000, got "3"
slots network --every-message => --every-message: expected at most 4096 --validators and 512 --beacon-nodes, got "1048576, 10000"
slots network --ignore-covered => --ignore-covered: valid only with --every-message
slots network --links copper => --links: expected eip-7870 or eip-7870-least or home or gigabit or unlimited or DOWN/UP in Mbps, got "copper"
slots network --parts 1:2 => --parts: expected three or four positive numbers, separated by colons, got "1:2"
slots network --preset horn --parts 1:2:3 => --parts: expected 4 numbers for this system, got "1:2:3"
slots network --preset horn --validators 100 => voters of a slot: expected an integer from 2048 to 100, got 100
slots network --preset tuba => --preset: expected phase0 or electra or strawman or horn or handel-committees, got "tuba"
slots network --client teku:0.5+prysm => --client: expected lighthouse or lodestar or lighthouse-2026 or prysm or teku or nimbus or grandine or singly, or several clients with their shares, such as prysm:0.4+teku:0.3+nimbus:0.3, got "teku:0.5+prysm"
slots network --client teku:0.5+prysm:0.6 => --client: expected shares with a sum of 1, got "teku:0.5+prysm:0.6"
slots network --client teka => --client: expected lighthouse or lodestar or lighthouse-2026 or prysm or teku or nimbus or grandine or singly, or several clients with their shares, such as prysm:0.4+teku:0.3+nimbus:0.3, got "teka" (Did you mean teku?)
sweep-worker => unknown command 'sweep-worker': it is now 'tutti distributed-sweeps worker'
verify --drand F => unknown option '--drand': it was removed; see 'tutti verify --help'
verify a --format tutti --public-keys k => --public-keys: cannot be combined with a certificate, which needs only --registry and --message-file
verify => missing required argument 'file'; see 'tutti verify --help'
`;

const rows: readonly (readonly [args: readonly string[], line: string])[] = [
  ...rowsOf(refused).map(([command, line]) => [words(command), line] as const),
  [['simulate', '--nodes', '9\n9'], '--nodes: expected an integer from 1 to 1048576, got "9\\n9"'],
  [['--a\nb'], "unknown option '--a b'; see 'tutti --help'"],
  [['cluster', '--message', 'tutti identity v1\0x'], '--message: expected a message other than an identity statement'],
  [
    ['serve', '--frame-ancestors', "https://a$'"],
    '--frame-ancestors: expected the origin of a page, such as https://page.example, or *, got "https://a$\'"',
  ],
];

it.each(rows)('tutti %j prints the expected and the given value in one line, and exits with 2', async (args, line) => {
  expect(await runMain(args)).toEqual({ code: 2, out: '', err: `tutti: ${line}\n` });
});
