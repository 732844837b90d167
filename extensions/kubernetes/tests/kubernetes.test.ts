import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { parseRegistry } from '@tutti/certificates';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { Service } from 'kubernetes-models/v1/Service';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { statusesOf } from '../../../tests/documentedNode.ts';
import { temporaryFolder } from '../../../tests/tutti.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const deployment = fileURLToPath(new URL('..', import.meta.url));
const base = join(deployment, 'base');
const folder = temporaryFolder();

const read = (path: string) => readFileSync(path, 'utf8');
const template = read(join(deployment, 'job.yaml'));
const jobOf = (pod: number, nodes: number) =>
  parse(template.replaceAll('{pod}', `${pod}`).replaceAll('{nodes}', `${nodes}`), { merge: true });
const job = jobOf(7, 20);
const service = parse(read(join(base, 'service.yaml')));
const policy = parse(read(join(base, 'networkpolicy.yaml')));
const podOf = (one: typeof job) => one.spec.template.spec;
const pod = podOf(job);
const nameLabel = { 'app.kubernetes.io/name': 'tutti' };

function parentOf(pid: string): number | undefined {
  try {
    const stat = read(`/proc/${pid}/stat`);
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

function prepare(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(deployment, 'prepare.mjs'), ...args], {
    encoding: 'utf8',
    cwd: root,
  });
  return { status, stdout, stderr };
}

describe('the base and job.yaml', () => {
  it('is valid under the schemas of Kubernetes', () => {
    new Service(service).validate();
    new NetworkPolicy(policy).validate();
    expect(() => new Job({ ...job, spec: { ...job.spec, backoffLimit: '5' } }).validate()).toThrow('must be integer');
  });

  it('allows traffic between nodes and to the DNS of the cluster, and no other traffic', () => {
    const nodes = { podSelector: { matchLabels: nameLabel } };
    const handel = [{ protocol: 'TCP', port: 7000, endPort: 7019 }];
    expect(policy.spec).toMatchObject({ ...nodes, policyTypes: ['Ingress', 'Egress'] });
    expect(policy.spec.ingress).toEqual([{ from: [nodes], ports: handel }]);
    const [toNodes, toDns, ...rest] = policy.spec.egress;
    expect(toNodes).toEqual({ to: [nodes], ports: handel });
    expect(toDns.ports).toEqual(['UDP', 'TCP'].map((protocol) => ({ protocol, port: 53 })));
    expect(toDns.to.every((peer: object) => 'namespaceSelector' in peer || 'ipBlock' in peer)).toBe(true);
    expect(rest).toEqual([]);
    expect(pod.containers[0].ports[0].containerPort).toBe(7000);
  });

  it('mounts for each pod only the secrets of its own nodes, and grants only required privileges', () => {
    const [unpack, nodes] = [...pod.initContainers, ...pod.containers];
    expect(nodes.volumeMounts.map(({ name }: { name: string }) => name)).toEqual(['own', 'pod']);
    expect(unpack.volumeMounts.map(({ name }: { name: string }) => name)).toEqual(['registry', 'secrets', 'own']);
    expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
    for (const container of [unpack, nodes]) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources.limits.memory, 'a limit').toBeDefined();
    }
    const volumes = pod.volumes.map(({ name }: { name: string }) => name).toSorted();
    expect(volumes).toEqual(['own', 'pod', 'registry', 'secrets']);
    const secretOf = (one: typeof job) =>
      podOf(one).volumes.find(({ name }: { name: string }) => name === 'secrets').secret.secretName;
    expect([secretOf(job), secretOf(jobOf(8, 20))]).toEqual(['tutti-secrets-7', 'tutti-secrets-8']);
  });

  /** Whether host names can be changed for one process, which requires root. */
  const canName = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;

  it.skipIf(process.platform !== 'linux')(
    'two pods reach the threshold together, by name with root, and end on request or after one of their nodes ends',
    async () => {
      const run = join(folder, 'pods');
      prepare('--pods', '2', '--nodes-per-pod', '2', '--out', run);
      const { configMapGenerator } = parse(read(join(base, 'kustomization.yaml')));
      const { literals } = configMapGenerator.find(({ name }: { name: string }) => name === 'tutti-round');
      const hosts = join(folder, 'hosts');
      writeFileSync(hosts, '127.0.0.1 localhost\n127.0.7.1 tutti-0.tutti\n127.0.7.2 tutti-1.tutti\n');
      const bin = join(folder, 'bin');
      mkdirSync(bin);
      symlinkSync(join(root, 'apps/node-cli/bin/tutti.js'), join(bin, 'tutti'));

      const pods = [0, 1].map((index) => {
        const own = join(folder, `own-${index}`);
        mkdirSync(own);
        const registry = gunzipSync(readFileSync(join(run, 'registry.json.gz'))).toString();
        const byAddress = registry.replaceAll(/tutti-(\d)\.tutti/g, (_, pod) => `127.0.7.${Number(pod) + 1}`);
        writeFileSync(join(own, 'registry.json'), canName ? registry : byAddress);
        copyFileSync(join(run, `secrets/${index}.json`), join(own, 'secrets.json'));
        const given: readonly (readonly [name: string, value: string])[] = [
          ...literals.map((literal: string) => literal.split('=')),
          ...podOf(jobOf(index, 2)).containers[0].env.map(Object.values),
        ];
        const changed: Record<string, string> = {
          OWN: own,
          POD_IP: `127.0.7.${index + 1}`,
          EVERY: '1',
          THRESHOLD: '1',
        };
        const env = Object.fromEntries(given.map(([name, value]) => [name, changed[name] ?? value]));
        const script = `exec bash ${join(base, 'pod.sh')}`;
        const command = canName
          ? ['unshare', '--mount', 'sh', '-c', `mount --bind ${hosts} /etc/hosts && ${script}`]
          : ['sh', '-c', script];
        return spawn(command[0]!, command.slice(1), {
          stdio: ['ignore', 'pipe', 'ignore'],
          env: { ...env, PATH: `${bin}:${process.env.PATH}` },
        });
      });
      const ended = Promise.all(pods.map((pod) => once(pod, 'exit')));
      // Rounds continue until each pod has reported all four signers.
      const reached = pods.map(async (pod) => {
        for await (const line of createInterface({ input: pod.stdout! })) {
          const { type, signers } = JSON.parse(line);
          if (type !== 'reached' || signers !== 4) continue;
          pod.stdout!.resume();
          return true;
        }
        return false;
      });
      expect(await Promise.all(reached)).toEqual([true, true]);
      // One pod receives the signal to end. In the other pod, one node dies, which ends the pod, and Kubernetes would
      // restart it.
      pods[0]!.kill('SIGTERM');
      const [node] = readdirSync('/proc').filter((id) => /^\d+$/.test(id) && parentOf(id) === pods[1]!.pid);
      process.kill(Number(node), 'SIGKILL');
      for (const [code] of await ended) expect(code).toBe(1);
    },
  );
});

describe('prepare.mjs', () => {
  it('creates a registry with the name and secrets of each pod, and a kustomization over the base', async () => {
    const run = join(folder, 'run');
    const made = prepare('--pods', '3', '--nodes-per-pod', '2', '--image', 'registry.example/tutti:1.2', '--out', run);
    expect(made).toMatchObject({ status: 0, stderr: '' });

    const registry = parseRegistry(gunzipSync(readFileSync(join(run, 'registry.json.gz'))).toString());
    expect(registry.map(({ transport, endpoint }) => `${transport} ${endpoint.host} ${endpoint.port}`)).toEqual(
      [0, 1, 2].flatMap((pod) => [`tcp tutti-${pod}.tutti 7000`, `tcp tutti-${pod}.tutti 7001`]),
    );
    expect(readdirSync(join(run, 'secrets')).toSorted()).toEqual(['0.json', '1.json', '2.json']);
    for (const pod of [0, 1, 2]) {
      const { version, secrets } = JSON.parse(read(join(run, `secrets/${pod}.json`)));
      const keys = secrets.map(({ publicKey }: { publicKey: string }) => publicKey);
      expect(version).toBe(1);
      expect(keys).toEqual(
        registry.slice(2 * pod, 2 * pod + 2).map(({ publicKey }) => Buffer.from(publicKey).toString('hex')),
      );
    }
    const { resources, images, patches, configMapGenerator, secretGenerator } = parse(
      read(join(run, 'kustomization.yaml')),
    );
    expect(existsSync(join(run, resources[0], 'kustomization.yaml'))).toBe(true);
    expect(resources.slice(1)).toEqual(['jobs.yaml']);
    const jobs = parseAllDocuments(read(join(run, 'jobs.yaml')), { merge: true }).map((one) => one.toJS());
    expect(jobs).toEqual([0, 1, 2].map((pod) => jobOf(pod, 2)));
    for (const one of jobs) new Job(one).validate();
    expect(images).toEqual([{ name: 'tutti', newName: 'registry.example/tutti', newTag: '1.2' }]);
    expect(patches.map(({ target }: { target: object }) => target)).toEqual([{ kind: 'NetworkPolicy', name: 'tutti' }]);
    expect(parse(patches[0].patch)).toEqual(
      ['/spec/ingress/0', '/spec/egress/0'].map((rule) => ({
        ...{ op: 'replace', path: `${rule}/ports/0/endPort`, value: 7001 },
      })),
    );
    expect(secretGenerator).toEqual(
      [0, 1, 2].map((pod) => ({ name: `tutti-secrets-${pod}`, files: [`secrets.json=secrets/${pod}.json`] })),
    );
    for (const { files } of [...configMapGenerator, ...secretGenerator])
      for (const file of files) expect(existsSync(join(run, file.replace(/^.*=/, ''))), file).toBe(true);

    // The command does not overwrite existing secrets.
    expect(prepare('--pods', '3', '--out', run)).toMatchObject({ status: 2, stdout: '' });
  });

  it('accepts an image by its digest, and allows one namespace to read the metrics', () => {
    const run = join(folder, 'digest');
    const digest = `sha256:${'0a'.repeat(32)}`;
    const flags = ['--image', `registry.example:5000/tutti:1@${digest}`, '--metrics-from', 'monitoring'];
    expect(prepare('--pods', '1', '--nodes-per-pod', '3', ...flags, '--out', run).status).toBe(0);
    const { images, resources } = parse(read(join(run, 'kustomization.yaml')));
    expect(images).toEqual([{ name: 'tutti', newName: 'registry.example:5000/tutti', digest }]);
    expect(resources.slice(1)).toEqual(['jobs.yaml', 'metrics.yaml']);
    const metrics = parse(read(join(run, 'metrics.yaml')));
    new NetworkPolicy(metrics).validate();
    expect(metrics.spec.ingress).toEqual([
      {
        from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
        ports: [{ protocol: 'TCP', port: 9100, endPort: 9102 }],
      },
    ]);
    expect(metrics.spec).toMatchObject({ podSelector: { matchLabels: nameLabel }, policyTypes: ['Ingress'] });
    expect(pod.containers[0].ports[1].containerPort).toBe(9100);
  });

  it.each([
    [['--pods', '0'], '--pods: expected an integer from 1 to 10000, got 0'],
    [['--image', 'tutti'], '--image: expected NAME:TAG or NAME@sha256:DIGEST, got tutti'],
    [['--image', 'tutti@sha256:12'], '--image: expected NAME:TAG or NAME@sha256:DIGEST, got tutti@sha256:12'],
    [['--metrics-from', 'a b'], '--metrics-from: expected the name of a namespace, got a b'],
  ])('%j is refused in one line', (args, line) => {
    expect(prepare(...args)).toEqual({ status: 2, stdout: '', stderr: `${line}\n` });
  });
});

describe('member.yaml', () => {
  const documents = parseAllDocuments(read(join(deployment, 'member.yaml'))).map((one) => one.toJS());
  const [set, api, handel] = documents;
  const [container] = set.spec.template.spec.containers;
  const place = (name: string) => join(folder, name);

  it('is valid, runs one pod with its volume, and its command answers requests with the token', async () => {
    new StatefulSet(set).validate();
    new Service(api).validate();
    new Service(handel).validate();
    expect([set.spec.replicas, set.spec.volumeClaimTemplates[0].spec.accessModes]).toEqual([1, ['ReadWriteOncePod']]);
    for (const service of [api, handel]) expect(service.spec.selector).toEqual(set.spec.selector.matchLabels);
    const [command, ...words] = container.command;
    expect(command).toBe('tutti');
    writeFileSync(place('token'), 'a token\n', { mode: 0o600 });
    const [{ path }, { path: alive }] = [container.readinessProbe.httpGet, container.livenessProbe.httpGet];
    const places = {
      '/registry/registry.json': place('registry.json'),
      '/state/key.json': place('registry.secrets.json'),
      '/secrets/token': place('token'),
      '0.0.0.0:8080': '127.0.0.1:0',
      '$(POD_IP):9000': '127.0.0.1:{port}',
      '$(POD_NAMESPACE)': 'default',
    };
    const post = { method: 'POST', path: '/certificates?height=17', body: 'block 17' };
    const authorization = 'Bearer a token';
    const bearing = (host: string, path = post.path) => ({ ...post, path, headers: { authorization, host } });
    const service = api.metadata.name;
    const requests = [
      ...[{ path }, { path: alive }, post, bearing(service), bearing(`${service}.default.svc:8080`)],
      ...[bearing('rebound.example'), bearing(service, '/certificates')],
    ];
    expect(await statusesOf(words, folder, places, requests)).toEqual([200, 200, 401, 200, 200, 421, 400]);
  });
});
