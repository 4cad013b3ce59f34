/** Which file may import which, and who declares a name. The table is the rule; every import in `src` is held against it. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** From the top down: a folder imports what stands below it. `freely`: those of one row may import each other, too. */
const ROWS: readonly { readonly folders: readonly string[]; readonly freely?: true }[] = [
  { folders: ['processes'] },
  { folders: ['doors'], freely: true },
  { folders: ['doctor', 'dry-run'] },
  { folders: ['delivery', 'inbound', 'tracking', 'webhooks/dispatch', 'sandbox', 'maintenance'] },
  { folders: ['submission'] },
  { folders: ['cells'] },
  {
    folders: [
      ...['emails', 'templates', 'domains', 'suppressions', 'validation', 'stats', 'sites', 'erasure'],
      ...[
        'certificates',
        'accounts',
        'organizations',
        'webhooks/endpoints',
        'holds',
        'approvals',
        'undos',
        'request-logs',
        'first-steps',
        'feedback-loops',
        'routing',
        'streams',
        'proofs',
        'received',
      ],
    ],
    freely: true,
  },
  { folders: ['outbox', 'events', 'webhooks/queue', 'webhooks/log', 'webhooks/log-stats'], freely: true },
  {
    folders: [
      'http',
      'smtp',
      'dns',
      'message',
      'template-language',
      'work-loop',
      'database',
      'fetch',
      'object-store',
    ].map((name) => `kit/${name}`),
    freely: true,
  },
  {
    folders: [
      'runtime/branded',
      'runtime/problems',
      'http/schema',
      'runtime/service-error',
      'runtime/nearest-name',
      'runtime/edit-distance',
      'runtime/escape-html',
      'runtime/locale',
      'http/locale-field',
      'runtime/permissions',
      'runtime/audit-entry',
      'runtime/refused-request',
    ],
    freely: true,
  },
  { folders: ['runtime'] },
];

/** Ways in besides the routes, and what routes translate with. */
const DOORS: readonly string[] = [
  'ingress/account-mailer.ts',
  'emails/http/dry-run-answer.ts',
  'submission/idempotency/idempotency-key.ts',
  'emails/http/send-answer.ts',
  'emails/http/send-request.ts',
];

const SRC = fileURLToPath(new URL('.', import.meta.url));

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .toSorted();
const imports = new Map(files.map((file) => [file, importsOf(file)]));

function importsOf(file: string): string[] {
  const text = readFileSync(join(SRC, file), 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport\()\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    relative(SRC, normalize(join(SRC, dirname(file), path))),
  );
}

/** Where the outside comes in. */
const isDoor = (file: string): boolean =>
  file.startsWith('ingress/') ||
  DOORS.includes(file) ||
  (!file.startsWith('kit/') && /[/-]routes\.ts$/.test(file));
/** The shapes of its JSON. */
const isSchema = (file: string): boolean => !file.startsWith('kit/') && /[/-]schema\.ts$/.test(file);

function placeOf(file: string): { folder: string; row: number } {
  const isIn = (folder: string) =>
    folder === 'doors' ? isDoor(file) : file.startsWith(`${folder}/`) || file === `${folder}.ts`;
  const row = ROWS.findIndex(({ folders }) => folders.some(isIn));
  return { folder: ROWS[row]?.folders.find(isIn) ?? '', row };
}

function mayImport(from: string, to: string): boolean {
  const [a, b] = [placeOf(from), placeOf(to)];
  return a.folder === b.folder || a.row < b.row || (a.row === b.row && ROWS[a.row]?.freely === true);
}

/** Whether a file imports itself, by way of others. */
function isInCircle(file: string): boolean {
  const seen = new Set<string>();
  const ahead = [...(imports.get(file) ?? [])];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    ahead.push(...(imports.get(next) ?? []));
  }
  return seen.has(file);
}

describe('imports', () => {
  it('are of files that the table has a row for', () => {
    expect(files.filter((file) => placeOf(file).row < 0)).toEqual([]);
    expect(files.length).toBeGreaterThan(400);
  });

  it('point down', () => {
    const upwards = files.flatMap((file) =>
      (imports.get(file) ?? []).filter((to) => !mayImport(file, to)).map((to) => `${file} → ${to}`),
    );
    expect(upwards).toEqual([]);
  });

  it('are of http in doors, schemas and processes alone', () => {
    const isHttp = (file: string) => file.startsWith('http/');
    const mayKnow = (file: string) =>
      isDoor(file) || isSchema(file) || isHttp(file) || file.startsWith('processes/');
    const below = files.filter((file) => !mayKnow(file));
    expect(below.filter((file) => imports.get(file)?.some(isHttp))).toEqual([]);
    expect(DOORS.filter((door) => !files.includes(door))).toEqual([]);
  });

  it('are of no schema in submission', () => {
    const submission = files.filter((file) => file.startsWith('submission/'));
    expect(submission.flatMap((file) => imports.get(file)?.filter(isSchema) ?? [])).toEqual([]);
  });

  it('leave the policy of delivery alone with facts', () => {
    const imported = files
      .filter((file) => file.startsWith('delivery/policy/'))
      .flatMap((file) => imports.get(file) ?? []);
    expect(imported.filter((file) => /^delivery\/(attempt|scheduler)\//.test(file))).toEqual([]);
    expect(imported).toContain('delivery/facts.ts');
  });

  it('of users say nothing of sessions: who somebody is does not depend on their being signed in', () => {
    const users = files.filter((file) => file.startsWith('accounts/users/'));
    expect(users.length).toBeGreaterThan(10);
    expect(
      users.filter((file) => imports.get(file)?.some((to) => to.startsWith('accounts/sessions/'))),
    ).toEqual([]);
  });

  it('make no circle', () => {
    expect(files.filter(isInCircle)).toEqual([]);
  });
});

describe('exported names', () => {
  it('are declared in one file each: one word for one thing', () => {
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
