/** The files for containers, service managers and proxies name settings, paths and ports that are there. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { isToBePacked } from '../scripts/lib/packages.mjs';
import { PROGRAMS } from '../scripts/lib/programs.mjs';
import { SHARED_PLACES } from '../src/database/embedded/cluster-home.ts';
import { BODY_LIMIT } from '../src/http/app.ts';
import { parseConfig } from '../src/runtime/config.ts';
import { MINUTE_MS } from '../src/runtime/durations.ts';
import { EXIT_CONFIG } from '../src/runtime/refused-start.ts';
import { SECRETS } from '../src/runtime/secret-files.ts';
import { settingNames } from '../test/support/setting-names.ts';

const FOLDERS = ['ops', 'ops/three-hosts', 'ops/cells'];
const FILES = [
  'Dockerfile',
  'compose.yaml',
  ...FOLDERS.flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`)),
].filter((name) => /Dockerfile$|Caddyfile$|\.(yaml|conf|ini|service|sh|example)$/.test(name));
const read = (file: string): string => readFileSync(file, 'utf8');
const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, one = '']) => one);

const COMPOSE = ['compose.yaml', 'ops/compose.parts.yaml'];
const PROXIES = ['ops/Caddyfile', 'ops/nginx.conf', 'ops/traefik.yaml'];

it('name settings that exist', () => {
  const settings = settingNames();
  const named = FILES.flatMap((file) =>
    all(read(file), /\b((?:POSTRIDER|DATABASE)_[A-Z_]+)\b/g).map((name) => ({ file, name })),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ name }) => !settings.has(name))).toEqual([]);
});

it('hand over secrets under names of secrets', () => {
  const units = [
    'ops/postrider.service',
    'ops/three-hosts/postrider@.service',
    'ops/cells/postrider@.service',
  ];
  const names = units.flatMap((unit) => all(read(unit), /^#?LoadCredential=(\w+):/gm));
  expect(names.length).toBeGreaterThan(3);
  expect(names.filter((name) => !SECRETS.some((secret) => secret === name))).toEqual([]);
});

it('give a worker longer to stop than it waits for receivers', () => {
  const { stopTimeoutMs } = parseConfig({});
  const minutes = [
    ...[
      'ops/postrider.service',
      'ops/three-hosts/postrider@.service',
      'ops/cells/postrider@.service',
    ].flatMap((unit) => all(read(unit), /^TimeoutStopSec=(\d+)min$/gm)),
    ...all(read('compose.yaml'), /stop_grace_period: (\d+)m$/gm),
    ...all(read('ops/compose.parts.yaml'), /\[start, worker\]\n.*\n +stop_grace_period: (\d+)m$/gm),
  ];
  expect(minutes).toHaveLength(5);
  expect(minutes.filter((one) => Number(one) * MINUTE_MS <= stopTimeoutMs)).toEqual([]);
});

it('start programs that there are', () => {
  const started = all(read('ops/compose.parts.yaml'), /command: \[start, (\w+)\]/g);
  expect(started.toSorted()).toEqual(['api', 'inbound', 'submission', 'worker']);
  expect(started.filter((program) => !PROGRAMS.includes(program))).toEqual([]);
});

it('of three hosts start each role that there is, and none is left out', () => {
  const started = all(read('ops/three-hosts/README.md'), /postrider@(\w+)(?:-\d)?(?= )/g);
  // On hosts of their own, inbound and submission are two roles.
  const roles = PROGRAMS.filter((program) => !['start', 'cli', 'smtp'].includes(program));
  expect([...new Set(started)].filter((role) => roles.includes(role)).toSorted()).toEqual(roles.toSorted());
  expect(parseConfig(parseEnv(read('ops/three-hosts/postrider.env.example')) as never).mode).toBe('live');
});

it('of cells name one that the other hosts know', () => {
  const settings = (file: string) => parseEnv(read(`ops/cells/${file}.env.example`)) as never;
  const cells = 'two=postgres://postrider@db2:5432/postrider';
  expect(read('ops/cells/README.md')).toContain('two=postgres://');
  expect(parseConfig({ ...(settings('mail2') as object), POSTRIDER_CELLS: cells }).cell).toBe('two');
  expect(parseConfig(settings('mail1')).cell).toBeUndefined();
});

describe('ports', () => {
  const { port, inbound, submission } = parseConfig({});
  const ours = [port, inbound.port, submission.port].map(String);

  it('of containers are the defaults', () => {
    expect(
      read('Dockerfile')
        .match(/^EXPOSE (.*)$/m)?.[1]
        ?.split(' '),
    ).toEqual(ours);
    expect(read('Dockerfile')).toContain(`POSTRIDER_PORT || ${port}`);
    for (const file of COMPOSE) {
      const published = all(read(file), /^ +- \S+:(\d+)(?: #.*)?$/gm);
      expect(published.toSorted(), file).toEqual(ours.toSorted());
    }
  });

  it('of proxies lead to the API, and keep to themselves what is not for everybody', () => {
    for (const file of PROXIES) {
      expect(all(read(file), /127\.0\.0\.1:(\d+)/g), file).toEqual([String(port)]);
      for (const route of ['/healthz', '/readyz', '/metrics', '/t/ask'])
        expect(read(file), file).toContain(route);
    }
  });
});

it('have systemd hold the sockets that live mode listens on, and ask for a reload by the signal that means it', () => {
  const certificate = { POSTRIDER_INBOUND_TLS_CERT: '/tls/cert', POSTRIDER_INBOUND_TLS_KEY: '/tls/key' };
  const settings = { POSTRIDER_MODE: 'live', POSTRIDER_INBOUND_PORT: '25', ...certificate };
  const { host, port, inbound, submission } = parseConfig(settings);
  expect(submission.host).toBe('::');
  expect(all(read('ops/postrider.socket'), /^ListenStream=(.+)$/gm)).toEqual([
    `${host}:${port}`,
    `${inbound.host}:${inbound.port}`,
    `${submission.port}`,
    `${submission.tlsPort}`,
  ]);
  expect(read('ops/postrider.service')).toContain('\nExecReload=/bin/kill -HUP $MAINPID\n');
});

it('let requests through that are as large as they may be', () => {
  const [nginx = ''] = all(read('ops/nginx.conf'), /client_max_body_size (\d+)m;/g);
  const [caddy = ''] = all(read('ops/Caddyfile'), /max_size (\d+)MiB/g);
  expect([nginx, caddy].map((megabytes) => Number(megabytes) * 1024 * 1024)).toEqual([
    BODY_LIMIT,
    BODY_LIMIT,
  ]);
});

it('have PgBouncer set the limits that each connection asks for', () => {
  const source = read('src/database/connections.ts');
  const limit = (name: string) =>
    all(source, new RegExp(`${name}_TIMEOUT_MS = ([\\d_]+);`, 'g'))[0]?.replaceAll('_', '');
  const ini = read('ops/pgbouncer.ini');
  expect(ini).toContain(`SET statement_timeout = ${limit('STATEMENT')};`);
  expect(ini).toContain(`SET idle_in_transaction_session_timeout = ${limit('IDLE_IN_TRANSACTION')}'`);
  const asked = all(source, /^ +(\w+_timeout): /gm);
  expect(asked.length).toBeGreaterThan(1);
  expect(ini.match(/^ignore_startup_parameters = (.*)$/m)?.[1]?.split(', ')).toEqual(asked);
});

describe('the example of settings', () => {
  const example = read('ops/postrider.env.example');

  it('starts a sandbox as it stands', () => {
    expect(parseEnv(example)).toEqual({});
  });

  it('is one that live mode takes, once a person has filled it in', () => {
    const filledIn = parseEnv(example.replaceAll(/^#(?=[A-Z_]+=)/gm, '')) as Record<string, string>;
    expect(parseConfig(filledIn)).toMatchObject({
      mode: 'live',
      hostname: 'mail.example.org',
      trustProxy: ['127.0.0.1'],
      inbound: { port: 25, isPortGiven: true },
    });
  });
});

describe('the units of systemd', () => {
  const units = FILES.filter((file) => file.endsWith('.service'));
  const starting = units.filter((file) => /^Restart=/m.test(read(file)));

  it('do not start again after a setting that is wrong', () => {
    expect(starting.length).toBe(3);
    for (const unit of starting)
      expect(all(read(unit), /^RestartPreventExitStatus=(\d+)$/gm), unit).toEqual([String(EXIT_CONFIG)]);
  });

  it('have a name in the log that says which service it is', () => {
    expect(units.map((unit) => all(read(unit), /^SyslogIdentifier=(.+)$/gm))).toEqual(
      units.map((unit) => [path.basename(unit, '.service').replace('@', '-%i')]),
    );
  });

  it('keep their data where no trial of root puts its own', () => {
    const folders = units.flatMap((unit) => all(read(unit), /^StateDirectory=([^/\n]+)/gm));
    expect([...new Set(folders)]).toEqual(['postrider']);
    expect(SHARED_PLACES.filter((place) => folders.includes(path.basename(place)))).toEqual([]);
  });

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
  it.skipIf(!hasSystemd)('are what systemd takes', () => {
    const files = FILES.filter((file) => /\.(service|socket)$/.test(file) && !file.startsWith('ops/cells'));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], {
      encoding: 'utf8',
    });
    expect({ status, stderr: stderr.split('\n').filter((line) => line.includes('ops/')) }).toEqual({
      status: 0,
      stderr: [],
    });
  });

  it('come with the package, and secrets of this checkout do not', () => {
    const packed = (file: string) => isToBePacked(path.resolve(file));
    for (const file of FILES.filter((one) => one.startsWith('ops/'))) expect(packed(file), file).toBe(true);
    for (const file of ['ops/secrets', 'ops/tls', 'ops/postrider.env', 'ops/files.test.ts'])
      expect(packed(file), file).toBe(false);
  });
});

describe('the image', () => {
  it('is made of files that are there and that reach its build', () => {
    const allowed = all(read('.dockerignore'), /^!(.+)$/gm);
    const isAllowed = (file: string) => allowed.some((one) => file === one || file.startsWith(`${one}/`));
    const copied = all(read('Dockerfile'), /^COPY (?!--from)(.+) \S+$/gm).flatMap((names) =>
      names.split(' '),
    );
    expect(copied).toContain('.');
    const files = copied.filter((name) => name !== '.');
    expect(files.filter((name) => !existsSync(name) || !isAllowed(name))).toEqual([]);
    expect(allowed.filter((name) => !name.includes('*') && !existsSync(name))).toEqual([]);
    // The site is made from files all over the repository.
    const site = readdirSync('docs-site', { recursive: true, encoding: 'utf8' })
      .filter((name) => /^(site|reference)\/.*(?<!\.test)\.ts$/.test(name))
      .flatMap((name) =>
        all(read(`docs-site/${name}`), /from '(\.\.?\/[^']+)'/g).map((from) =>
          path.join('docs-site', path.dirname(name), from),
        ),
      );
    const pages = all(read('docs-site/site/sources.ts'), /^ {2}'([\w/]+\.md)':/gm);
    expect(pages).toContain('bench/RESULTS.md');
    expect([...site, ...pages].filter((name) => !isAllowed(name))).toEqual([]);
  });

  it('has a Node that is tested', () => {
    const versions = new Set(all(read('Dockerfile'), /^FROM node:(\d+)-/gm));
    expect(versions.size).toBe(1);
    expect(all(read('.github/workflows/ci.yml'), /'(\d+)'/g)).toEqual(expect.arrayContaining([...versions]));
  });
});

describe('the secrets of the roles that run apart', () => {
  const named = all(read('ops/compose.parts.yaml'), /file: \.\/secrets\/([\w-]+)/g);

  it('are all made, once', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'postrider-ops-'));
    try {
      const script = path.join(folder, 'make-secrets.sh');
      copyFileSync('ops/make-secrets.sh', script);
      execFileSync('sh', [script], { stdio: 'ignore' });
      const made = (name: string) => read(path.join(folder, 'secrets', name));
      expect(readdirSync(path.join(folder, 'secrets')).toSorted()).toEqual(named.toSorted());
      expect(
        parseConfig({ POSTRIDER_SECRET_KEY: made('secret-key'), DATABASE_URL: made('database-url') }),
      ).toMatchObject({
        databaseUrl: `postgres://postrider:${made('database-password')}@postgres:5432/postrider`,
      });
      const key = made('secret-key');
      expect(spawnSync('sh', [script]).status).toBe(1);
      expect(made('secret-key')).toBe(key);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('are given to whoever reads them', () => {
    const text = read('ops/compose.parts.yaml');
    const mounted = new Set(all(text, /secrets: \[(.+)\]/g).flatMap((names) => names.split(', ')));
    expect([...mounted].toSorted()).toEqual(named.toSorted());
    const paths = [
      ...all(text, /\/run\/secrets\/([\w-]+)/g),
      ...all(read('ops/pgbouncer.ini'), /\/run\/secrets\/([\w-]+)/g),
    ];
    expect(paths.filter((name) => !mounted.has(name))).toEqual([]);
  });
});

describe('three hosts of PostgreSQL', () => {
  it('have every commit on two disks before it is answered', () => {
    const settings = read('ops/patroni/patroni.yml');
    for (const [name, value] of [
      ['synchronous_mode', 'true'],
      ['synchronous_mode_strict', 'true'],
      ['synchronous_node_count', '1'],
      ['synchronous_commit', "'on'"],
      ['fsync', "'on'"],
    ])
      expect(settings).toMatch(new RegExp(`^ +${name}: ${value}$`, 'm'));
  });

  it('let Patroni in over loopback, which asks over replication how far a host has come', () => {
    const settings = read('ops/patroni/patroni.yml');
    for (const what of ['all all', 'replication replicator'])
      expect(settings).toContain(`    - host ${what} 127.0.0.1/32 scram-sha-256\n`);
  });

  const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0;
  it.skipIf(!hasHaproxy)('are reached through HAProxy, which takes its file', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'postrider-haproxy-'));
    try {
      const file = path.join(folder, 'haproxy.cfg');
      // Names of hosts that only the reader's network knows.
      writeFileSync(file, read('ops/patroni/haproxy.cfg').replaceAll(/ pg\d:/g, ' 127.0.0.1:'));
      expect(spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' })).toMatchObject({ status: 0 });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
