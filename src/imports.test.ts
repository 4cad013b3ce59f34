/** Which folder may import which. Every import in `src` is checked against the table, and every exception has a reason. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** A folder, and the folders of the same row that it may import. */
type Row = Readonly<Record<string, readonly string[]>>;

/** From the top down: a folder may import every folder of the rows below, and what it lists of its own row. */
const ROWS: readonly Row[] = [
  {
    cli: ['processes', 'supervisor'],
    processes: ['cli', 'supervisor'],
    supervisor: ['processes'],
  },
  {
    'emails/http': [],
    ingress: ['emails/http'],
  },
  {
    delivery: [],
    doctor: ['delivery', 'operations'],
    'dry-run': ['delivery', 'sandbox'],
    inbound: [],
    operations: ['sandbox'],
    sandbox: [],
    tracking: [],
    'webhooks/dispatch': [],
  },
  {
    submission: [],
  },
  {
    accounts: ['domains', 'organizations', 'webhooks/endpoints'],
    cells: ['organizations'],
    certificates: ['domains'],
    domains: ['emails', 'organizations', 'received', 'validation'],
    emails: ['accounts', 'organizations', 'suppressions', 'templates'],
    erasure: [
      ...['accounts', 'emails', 'interventions', 'organizations', 'received', 'request-logs'],
      ...['suppressions', 'templates', 'views'],
    ],
    explain: ['emails', 'interventions', 'routing', 'sites', 'streams'],
    interventions: ['accounts', 'domains', 'emails', 'organizations', 'suppressions', 'templates'],
    'message-checks': [],
    organizations: ['emails', 'validation'],
    proofs: ['emails'],
    received: ['emails'],
    'request-logs': ['accounts'],
    routing: ['emails', 'organizations', 'sites'],
    search: [
      ...['domains', 'emails', 'received', 'request-logs', 'suppressions', 'templates', 'webhooks/endpoints'],
    ],
    sites: ['emails'],
    stats: [
      ...['accounts', 'domains', 'emails', 'interventions', 'organizations', 'request-logs', 'routing'],
      ...['sites', 'webhooks/endpoints'],
    ],
    streams: ['emails', 'organizations'],
    suppressions: ['organizations'],
    templates: ['accounts', 'message-checks'],
    validation: [],
    views: [],
    'webhooks/endpoints': ['emails', 'organizations', 'received', 'routing'],
  },
  {
    counters: [],
    events: [],
    outbox: [],
    webhooks: ['events'],
  },
  {
    database: [],
    http: [],
    'template-language': [],
  },
  {
    protocols: [],
  },
  {
    runtime: [],
  },
];

const STATUS = 'Email counters are named after the statuses of emails.';
const STREAM = 'Stream counters are named after the streams of emails.';

/** Imports of a row above, each with its reason. */
const UPWARD: readonly (readonly [file: string, imported: string, reason: string])[] = [
  ['counters/delivery-counts.ts', 'emails/email.ts', STREAM],
  ['counters/delivery-counts.ts', 'emails/stream.ts', STREAM],
  ['counters/stream-counts.ts', 'emails/stream.ts', STREAM],
  ['counters/email-counts.ts', 'emails/status.ts', STATUS],
  ['counters/hourly-counts.ts', 'emails/status.ts', STATUS],
  [
    'erasure/erase.ts',
    'submission/idempotency/store.ts',
    'Stored answers to sends contain addresses that have to be erased.',
  ],
  [
    'interventions/approvals/message-routes.ts',
    'dry-run/unsent-message.ts',
    'An approver reads the message exactly as a worker would compose it.',
  ],
];

/** Folders that import each other, each with its reason. */
const MUTUAL: readonly (readonly [folder: string, other: string, reason: string])[] = [
  [
    'cli',
    'processes',
    'processes/cli.ts is the program that runs a command. Commands start parts that the other programs also start.',
  ],
  ['counters', 'emails', 'See UPWARD: emails update the counters.'],
  ['dry-run', 'interventions', 'See UPWARD: a dry run predicts holds.'],
  [
    'emails',
    'organizations',
    'Emails know the organization of account mail. The tracking settings take the values that emails take.',
  ],
  [
    'processes',
    'supervisor',
    'processes/start.ts is the program that runs the supervisor. The supervisor starts the other programs.',
  ],
];

const MAX_UPWARD = 15;
const MAX_MUTUAL = 5;

/** These files know HTTP besides routes, schemas and the folders in `HTTP_FOLDERS`. */
const HTTP_FILES: readonly string[] = [
  'organizations/settings/auto-validation.ts',
  'organizations/settings/disposable-domains.ts',
  'organizations/settings/guard.ts',
  'organizations/settings/retention.ts',
  'organizations/settings/tracking.ts',
  'submission/idempotency/key-header.ts',
];
const HTTP_FOLDERS = ['cli/', 'emails/http/', 'http/', 'ingress/', 'processes/'];

const SRC = fileURLToPath(new URL('.', import.meta.url));

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .toSorted();
const imports = new Map(files.map((file) => [file, importsOf(file)]));
const folders = ROWS.flatMap((row) => Object.keys(row)).toSorted((a, b) => b.length - a.length);

function importsOf(file: string): string[] {
  const text = readFileSync(join(SRC, file), 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport\()\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    relative(SRC, normalize(join(SRC, dirname(file), path))),
  );
}

/** The innermost folder of the table that contains the file. */
const folderOf = (file: string) => folders.find((folder) => file.startsWith(`${folder}/`));
const rowOf = (folder: string | undefined) => ROWS.findIndex((row) => folder !== undefined && folder in row);

const isRoutes = (file: string) => /[/-]routes\.ts$/.test(file);
/** The JSON of an API, as its routes validate and document it. */
const isSchema = (file: string) =>
  /[/-]schema\.ts$/.test(file) && !/^(?:http|template-language)\//.test(file);

interface Import {
  readonly file: string;
  readonly imported: string;
  readonly from: string;
  readonly to: string;
}

/** Imports that leave the folder of their file. */
const crossing: readonly Import[] = files.flatMap((file) =>
  (imports.get(file) ?? []).flatMap((imported) => {
    const [from, to] = [folderOf(file), folderOf(imported)];
    return from === undefined || to === undefined || from === to ? [] : [{ file, imported, from, to }];
  }),
);
const arrows = new Set(crossing.map(({ from, to }) => `${from} → ${to}`));
const arrow = ({ file, imported }: Import) => `${file} → ${imported}`;

/** Whether a file imports itself through other files. */
function isInCycle(file: string): boolean {
  const seen = new Set<string>();
  const ahead = [...(imports.get(file) ?? [])];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    ahead.push(...(imports.get(next) ?? []));
  }
  return seen.has(file);
}

describe('the table of folders', () => {
  it('contains every file', () => {
    expect(files.filter((file) => folderOf(file) === undefined)).toEqual([]);
    expect(files.length).toBeGreaterThan(400);
  });

  it('allows every import between folders of one row, and lists no folder that is not imported', () => {
    const used = crossing.filter(({ from, to }) => rowOf(from) === rowOf(to));
    const listed = ROWS.flatMap((row) =>
      Object.entries(row).flatMap(([from, all]) => all.map((to) => `${from} → ${to}`)),
    );
    expect([...new Set(used.map(({ from, to }) => `${from} → ${to}`))].toSorted()).toEqual(listed.toSorted());
  });

  it('allows imports of rows above only as listed exceptions', () => {
    const upward = crossing.filter(({ from, to }) => rowOf(from) > rowOf(to)).map(arrow);
    const excused = UPWARD.map(([file, imported]) => `${file} → ${imported}`);
    expect(upward.toSorted()).toEqual(excused.toSorted());
    expect(excused.length).toBeLessThanOrEqual(MAX_UPWARD);
  });

  it('allows folders to import each other only as listed exceptions', () => {
    const mutual = [...arrows].filter((pair) => {
      const [from = '', to = ''] = pair.split(' → ');
      return from < to && arrows.has(`${to} → ${from}`);
    });
    expect(mutual.toSorted()).toEqual(MUTUAL.map(([a, b]) => `${a} → ${b}`).toSorted());
    expect(mutual.length).toBeLessThanOrEqual(MAX_MUTUAL);
  });
});

describe('imports', () => {
  it('make no cycle of files', () => {
    expect(files.filter(isInCycle)).toEqual([]);
  });

  it('of http/ occur only in routes, schemas and the programs', () => {
    const isHttp = (file: string) => file.startsWith('http/');
    const mayKnow = (file: string) =>
      isRoutes(file) || isSchema(file) || HTTP_FOLDERS.some((folder) => file.startsWith(folder));
    const others = files.filter((file) => !mayKnow(file) && imports.get(file)?.some(isHttp));
    expect(others).toEqual(HTTP_FILES);
  });

  it('of schemas do not occur in submission', () => {
    const submission = files.filter((file) => file.startsWith('submission/'));
    expect(submission.flatMap((file) => imports.get(file)?.filter(isSchema) ?? [])).toEqual([]);
  });

  it('of the delivery policy are facts, never the code that delivers or schedules', () => {
    const imported = files
      .filter((file) => file.startsWith('delivery/policy/'))
      .flatMap((file) => imports.get(file) ?? []);
    expect(imported.filter((file) => /^delivery\/(attempt|scheduler)\//.test(file))).toEqual([]);
    expect(imported).toContain('delivery/facts.ts');
  });

  it('of users contain no sessions, because an identity does not depend on a login', () => {
    const users = files.filter((file) => file.startsWith('accounts/users/'));
    expect(users.length).toBeGreaterThan(10);
    expect(
      users.filter((file) => imports.get(file)?.some((to) => to.startsWith('accounts/sessions/'))),
    ).toEqual([]);
  });
});

describe('the folders of delivery/', () => {
  it('import each other in one direction only', () => {
    const folderIn = (file: string) => /^delivery\/(\w+)\//.exec(file)?.[1];
    const pairs = files.flatMap((file) => {
      const from = folderIn(file);
      const to = (imports.get(file) ?? []).map(folderIn);
      return from === undefined
        ? []
        : to.flatMap((one) => (one === undefined || one === from ? [] : [`${from} → ${one}`]));
    });
    const all = new Set(pairs);
    expect(all).toContain('attempt → scheduler');
    expect([...all].filter((pair) => all.has(pair.split(' → ').toReversed().join(' → ')))).toEqual([]);
  });
});

describe('exported names', () => {
  it('are declared in one file each', () => {
    const names = files.flatMap((file) => [...exportsOf(file)]);
    expect(names.length).toBeGreaterThan(1_000);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

function exportsOf(file: string): Set<string> {
  const text = readFileSync(join(SRC, file), 'utf8');
  const declarations = text.matchAll(
    /^export (?:abstract |async )*(?:type|interface|class|function\*?|const) (\w+)/gm,
  );
  return new Set([...declarations].map(([, name = '']) => name));
}
