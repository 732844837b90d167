/**
 * `node deploy/kubernetes/prepare.mjs`: makes what a run on a cluster needs, in a folder for `kubectl create -k`: the
 * keys of all nodes, the registry that tells where each of them is, the secrets of each pod's nodes, and a
 * kustomization that lays them over base/.
 *
 *     --pods N (100)   --nodes-per-pod N (20)   --image NAME (tutti:0.2.0-dev)   --out FOLDER (deploy/kubernetes/run)
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

const here = fileURLToPath(new URL('.', import.meta.url));
const tutti = fileURLToPath(new URL('../../apps/node-cli/bin/tutti.js', import.meta.url));

/** The first of a pod's nodes listens here, the others on the ports that follow. */
const firstPort = 7000;

/** What the API server takes in a ConfigMap or a Secret, bytes. */
const mostBytes = 1024 * 1024;

const { values } = parseArgs({
  options: {
    pods: { type: 'string', default: '100' },
    'nodes-per-pod': { type: 'string', default: '20' },
    image: { type: 'string', default: 'tutti:0.2.0-dev' },
    out: { type: 'string', default: join(here, 'run') },
  },
});
const pods = integer('pods', 10_000);
const nodesPerPod = integer('nodes-per-pod', 1000);
const out = resolve(values.out);
const [, image, tag] = /^([a-z0-9./:_-]+?):([\w.-]+)$/i.exec(values.image) ?? [];
if (tag === undefined) fail(`--image: expected NAME:TAG, got ${values.image}`);
if (existsSync(out))
  fail(`--out: ${out} exists already, and may hold the only copy of its secrets; remove it, or choose another`);

const { registry, secrets } = keys(pods * nodesPerPod);
for (const [index, entry] of registry.entries.entries())
  entry.address = {
    transport: 'tcp',
    host: `tutti-${Math.floor(index / nodesPerPod)}.tutti`,
    port: firstPort + (index % nodesPerPod),
  };
const packed = gzipSync(JSON.stringify(registry), { level: 9 });
const ofPods = Array.from({ length: pods }, (_, pod) =>
  JSON.stringify({ ...secrets, secrets: secrets.secrets.slice(pod * nodesPerPod, (pod + 1) * nodesPerPod) }),
);
mustFit('registry', 'ConfigMap', packed.length);
mustFit('secrets', 'Secret', ofPods.join('').length);

mkdirSync(join(out, 'secrets'), { recursive: true, mode: 0o700 });
writeFileSync(join(out, 'registry.json.gz'), packed);
for (const [pod, text] of ofPods.entries()) writeFileSync(join(out, 'secrets', `${pod}.json`), text, { mode: 0o600 });
writeFileSync(join(out, 'kustomization.yaml'), kustomization());
console.log(`${out}: ${registry.entries.length} nodes in ${pods} pods; now kubectl create -k ${relative('.', out)}`);

/** The keys of so many nodes, as `tutti keygen` makes them. */
function keys(nodes) {
  const folder = mkdtempSync(join(tmpdir(), 'tutti-'));
  try {
    const path = join(folder, 'registry.json');
    execFileSync(process.execPath, [tutti, 'keygen', '--count', nodes, '--out', path], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const read = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
    return { registry: read('registry.json'), secrets: read('registry.secrets.json') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function kustomization() {
  return `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - ${relative(out, join(here, 'base'))}
images:
  - name: tutti
    newName: ${image}
    newTag: "${tag}"
patches:
  - target: { kind: Job, name: tutti }
    patch: |
      - { op: replace, path: /spec/completions, value: ${pods} }
      - { op: replace, path: /spec/parallelism, value: ${pods} }
      - { op: replace, path: /spec/template/spec/containers/0/env/2/value, value: "${nodesPerPod}" }
configMapGenerator:
  - name: tutti-registry
    files: [registry.json.gz]
secretGenerator:
  - name: tutti-secrets
    files:
${ofPods.map((_, pod) => `      - secrets/${pod}.json`).join('\n')}
`;
}

function mustFit(what, kind, bytes) {
  if (bytes > mostBytes)
    fail(
      `the ${what} of ${pods * nodesPerPod} nodes take ${bytes} bytes, and a ${kind} holds ${mostBytes}; give the pods a volume instead`,
    );
}

function integer(name, most) {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  return fail(`--${name}: expected an integer from 1 to ${most}, got ${values[name]}`);
}

function fail(line) {
  console.error(line);
  process.exit(2);
}
