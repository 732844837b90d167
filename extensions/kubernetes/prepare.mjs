/**
 * `node extensions/kubernetes/prepare.mjs`: creates the files for a run on a cluster, in a folder for `kubectl create -k`:
 * the keys of all nodes, a registry with the nodes' addresses, a Job for each pod, the secrets of the pod's nodes, and
 * a kustomization that overlays base/.
 *
 *     --pods N (100)   --nodes-per-pod N (20)   --image NAME:TAG or NAME@sha256:DIGEST (tutti:0.2.0-dev)
 *     --metrics-from NAMESPACE (nobody)   --out FOLDER (extensions/kubernetes/run)
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

/**
 * Port of the first node in a pod; `firstMetricsPort` is the port of its metrics. Further nodes use the subsequent
 * ports.
 */
const firstPort = 7000;
const firstMetricsPort = 9100;

/** Maximum size of a ConfigMap or a Secret that the API server accepts, bytes. */
const maxBytes = 1024 * 1024;

const { values } = parseArgs({
  options: {
    pods: { type: 'string', default: '100' },
    'nodes-per-pod': { type: 'string', default: '20' },
    image: { type: 'string', default: 'tutti:0.2.0-dev' },
    'metrics-from': { type: 'string' },
    out: { type: 'string', default: join(here, 'run') },
  },
});
const pods = integer('pods', 10_000);
const nodesPerPod = integer('nodes-per-pod', 1000);
const out = resolve(values.out);
const [, image, tag, digest] =
  /^([a-z0-9./:_-]+?)(?::([\w.-]+)|(?::[\w.-]+)?@(sha256:[0-9a-f]{64}))$/i.exec(values.image) ?? [];
if (image === undefined) fail(`--image: expected NAME:TAG or NAME@sha256:DIGEST, got ${values.image}`);
const metricsFrom = values['metrics-from'];
if (metricsFrom !== undefined && !/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(metricsFrom))
  fail(`--metrics-from: expected the name of a namespace, got ${metricsFrom}`);
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
mustFit('registry', pods * nodesPerPod, 'ConfigMap', packed.length);
mustFit('secrets', nodesPerPod, 'Secret', ofPods[0].length);

mkdirSync(join(out, 'secrets'), { recursive: true, mode: 0o700 });
writeFileSync(join(out, 'registry.json.gz'), packed);
for (const [pod, text] of ofPods.entries()) writeFileSync(join(out, 'secrets', `${pod}.json`), text, { mode: 0o600 });
writeFileSync(join(out, 'jobs.yaml'), jobs());
if (metricsFrom !== undefined) writeFileSync(join(out, 'metrics.yaml'), metricsPolicy());
writeFileSync(join(out, 'kustomization.yaml'), kustomization());
console.log(`${out}: ${registry.entries.length} nodes in ${pods} pods; now kubectl create -k ${relative('.', out)}`);

/** Returns the keys of the given number of nodes, created by `tutti registry keygen`. */
function keys(nodes) {
  const folder = mkdtempSync(join(tmpdir(), 'tutti-'));
  try {
    const path = join(folder, 'registry.json');
    execFileSync(process.execPath, [tutti, 'registry', 'keygen', '--count', nodes, '--out', path], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const read = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
    return { registry: read('registry.json'), secrets: read('registry.secrets.json') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns a Job for each pod, created from the template. */
function jobs() {
  const template = readFileSync(join(here, 'job.yaml'), 'utf8');
  return ofPods.map((_, pod) => template.replaceAll('{pod}', pod).replaceAll('{nodes}', nodesPerPod)).join('---\n');
}

/** Returns a network policy that allows access to the metrics from one namespace. */
function metricsPolicy() {
  return `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: tutti-metrics
  labels:
    app.kubernetes.io/name: tutti
spec:
  podSelector:
    matchLabels:
      app.kubernetes.io/name: tutti
  policyTypes: [Ingress]
  ingress:
    - from:
        - namespaceSelector:
            matchLabels:
              kubernetes.io/metadata.name: ${metricsFrom}
      ports:
        - { protocol: TCP, port: ${firstMetricsPort}, endPort: ${firstMetricsPort + nodesPerPod - 1} }
`;
}

function kustomization() {
  const lastPort = firstPort + nodesPerPod - 1;
  return `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - ${relative(out, join(here, 'base'))}
  - jobs.yaml
${metricsFrom === undefined ? '' : '  - metrics.yaml\n'}images:
  - name: tutti
    newName: ${image}
    ${digest === undefined ? `newTag: "${tag}"` : `digest: ${digest}`}
patches:
  - target: { kind: NetworkPolicy, name: tutti }
    patch: |
      - { op: replace, path: /spec/ingress/0/ports/0/endPort, value: ${lastPort} }
      - { op: replace, path: /spec/egress/0/ports/0/endPort, value: ${lastPort} }
configMapGenerator:
  - name: tutti-registry
    files: [registry.json.gz]
secretGenerator:
${ofPods.map((_, pod) => `  - name: tutti-secrets-${pod}\n    files: [secrets.json=secrets/${pod}.json]`).join('\n')}
`;
}

function mustFit(what, nodes, kind, bytes) {
  if (bytes > maxBytes)
    fail(`the ${what} of ${nodes} nodes take ${bytes} bytes, and a ${kind} holds ${maxBytes}; use a volume instead`);
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
