/** The Compose file and the Kubernetes manifests that the documentation shows name settings, ports and files that exist. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { PROGRAMS } from '../scripts/lib/programs.mjs';
import { parseConfig } from '../src/runtime/config.ts';
import { settingNames } from '../test/support/setting-names.ts';

const read = (file: string): string => readFileSync(file, 'utf8');

function example(page: string, name: string): string {
  const [, code] =
    new RegExp(`<!-- example: ${name} -->\\s+\`\`\`yaml\\n([\\s\\S]*?)\`\`\``).exec(read(page)) ?? [];
  if (code === undefined) throw new Error(`${page} has no example ${name}.`);
  return code;
}

const unknownSettings = (code: string): string[] => {
  const settings = settingNames();
  return [...code.matchAll(/\b((?:POSTRIDER|DATABASE)_[A-Z_]+)\b/g)]
    .map(([, name = '']) => name)
    .filter((name) => !settings.has(name));
};

describe('the Compose file for your own PostgreSQL', () => {
  const code = example('docs/deploy/docker.md', 'compose-postgresql');
  const override = parse(code);
  const base = parse(read('compose.yaml'));

  it('extends the service of compose.yaml', () => {
    expect(Object.keys(override.services)).toEqual([...Object.keys(base.services), 'postgres']);
    expect(unknownSettings(code)).toEqual([]);
  });

  it('runs the same PostgreSQL as the file with a container for each role', () => {
    const { postgres } = parse(read('ops/compose.parts.yaml')).services;
    for (const field of ['image', 'environment', 'volumes', 'healthcheck'])
      expect(override.services.postgres[field], field).toEqual(postgres[field]);
  });

  it('takes secrets that the script makes, and gives each service those that it names', () => {
    const script = read('ops/make-secrets.sh');
    const { secrets, services } = override as {
      secrets: Record<string, { file: string }>;
      services: Record<string, { secrets: string[]; environment: Record<string, string> }>;
    };
    for (const [name, { file }] of Object.entries(secrets)) {
      expect(file).toBe(`./ops/secrets/${name}`);
      expect(script).toContain(`> secrets/${name}\n`);
    }
    for (const service of Object.values(services)) {
      const named = Object.values(service.environment).filter((value) => value.startsWith('/run/secrets/'));
      expect(named.toSorted()).toEqual(service.secrets.map((name) => `/run/secrets/${name}`).toSorted());
    }
  });
});

interface Container {
  readonly args: readonly string[];
  readonly volumeMounts: readonly { readonly name: string }[];
  readonly readinessProbe?: { readonly httpGet: { readonly path: string; readonly port: number } };
  readonly livenessProbe?: { readonly httpGet: { readonly path: string; readonly port: number } };
}
interface PodSpec {
  readonly containers: readonly [Container];
  readonly volumes: readonly { readonly name: string }[];
  readonly terminationGracePeriodSeconds?: number;
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly template: { readonly spec: PodSpec };
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
  };
}

describe('the manifests for Kubernetes', () => {
  const code = example('docs/deploy/kubernetes.md', 'kubernetes');
  const documents = parseAllDocuments(code);
  const manifests = documents.map((document) => document.toJS() as Manifest);
  const workloads = manifests.filter(({ spec }) => spec?.template !== undefined);
  const podOf = (name: string) => {
    const found = workloads.find(({ metadata }) => metadata.name === name);
    if (!found) throw new Error(`There is no workload ${name}.`);
    return found.spec.template.spec;
  };

  it('are valid YAML, of one namespace', () => {
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    expect(new Set(manifests.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['postrider']));
  });

  it('name settings that exist and can be read', () => {
    expect(unknownSettings(code)).toEqual([]);
    const settings = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
    const given = Object.fromEntries(Object.entries(settings).filter(([name]) => !name.endsWith('_FILE')));
    expect(parseConfig(given)).toMatchObject({ mode: 'sandbox', hostname: 'mail.example.org' });
  });

  it('start roles that exist, with every volume that they mount', () => {
    for (const { spec } of workloads) {
      const { containers, volumes } = spec.template.spec;
      const [command, role] = containers[0].args;
      if (command === 'start') expect(PROGRAMS).toContain(role);
      else expect(command).toBe('migrate');
      const claimed = (spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name);
      const known = [...volumes.map(({ name }) => name), ...claimed];
      expect(containers[0].volumeMounts.filter(({ name }) => !known.includes(name))).toEqual([]);
    }
    expect(workloads).toHaveLength(3);
  });

  it('ask the API for its health where it answers', () => {
    const [{ readinessProbe, livenessProbe }] = podOf('postrider-api').containers;
    const { port } = parseConfig({});
    expect(readinessProbe?.httpGet).toEqual({ path: '/readyz', port });
    expect(livenessProbe?.httpGet).toEqual({ path: '/healthz', port });
  });

  it('give a worker longer to stop than it waits for receivers, and a volume that stays', () => {
    const seconds = podOf('postrider-worker').terminationGracePeriodSeconds ?? 0;
    expect(seconds * 1000).toBeGreaterThan(parseConfig({}).stopTimeoutMs);
    const worker = workloads.find(({ metadata }) => metadata.name === 'postrider-worker');
    expect(worker?.kind).toBe('StatefulSet');
    expect(worker?.spec.volumeClaimTemplates?.map(({ metadata }) => metadata.name)).toEqual(['data']);
  });
});

describe('the commands that install the service', () => {
  const wait = /^.*until curl.*$/m.exec(read('docs/deploy/install.md'))?.[0] ?? '';

  /** Runs the command with these programs in place of those of the system. */
  function run(programs: Readonly<Record<string, string>>) {
    const folder = mkdtempSync(path.join(tmpdir(), 'postrider-install-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const [name, script] of Object.entries(programs)) {
      writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`);
      chmodSync(path.join(folder, name), 0o755);
    }
    const env = { PATH: `${folder}:${process.env.PATH}`, FOLDER: folder };
    return spawnSync('sh', ['-c', wait], { env, encoding: 'utf8', timeout: 60_000 });
  }

  it('wait until the service is ready', () => {
    const curl = 'test -e "$FOLDER/once" && echo ready || { touch "$FOLDER/once"; exit 7; }';
    const { status, stdout } = run({ curl, systemctl: 'exit 1', journalctl: 'echo the log' });
    expect([status, stdout]).toEqual([0, 'ready\n']);
  });

  it('show the log and stop waiting when the service has refused its settings', () => {
    const { status, stdout } = run({ curl: 'exit 7', systemctl: 'exit 0', journalctl: 'echo the log' });
    expect([status, stdout]).toEqual([0, 'the log\n']);
  });

  it('have a limit for a service that neither becomes ready nor fails', () => {
    expect(wait).toMatch(/^timeout \d+ /);
  });
});

describe('the pages about a server', () => {
  it('give files to no account by name, because the accounts of the units are dynamic', () => {
    expect(read('ops/postrider.service')).toContain('DynamicUser=yes');
    for (const page of ['install', 'certificates', 'reverse-proxy', 'going-live'])
      expect(read(`docs/deploy/${page}.md`)).not.toMatch(/(-o|-g|chown|chgrp) postrider(?![\w-])/);
  });
});
