import { type AskedPolicy, MAX_DAILY_BUDGET } from '../../accounts/api-keys/policy.ts';
import { type NewKey, parseKeyRequest } from '../../accounts/api-keys/request.ts';
import { createApiKey, keyState, revokeApiKey } from '../../accounts/api-keys/service.ts';
import { type ApiKeyRow, listKeys } from '../../accounts/api-keys/store.ts';
import { SCOPES, type Scope } from '../../kit/permissions.ts';
import { ServiceError } from '../../kit/service-error.ts';
import { findOrganization } from '../../organizations/store.ts';
import { type Deed, noteDeed } from './audit.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  EXIT_USAGE,
  type Options,
  type World,
} from './command.ts';
import { withDatabase } from './installation.ts';
import { minute, table } from './table.ts';

export const keyCommands: readonly Command[] = [
  {
    name: 'key create',
    positionals: [],
    required: { org: 'ID', name: 'NAME', scope: SCOPES.join('|') },
    optional: {
      ...{ domain: 'DOMAIN', expires: 'DATE' },
      ...{ recipients: 'LIST', from: 'LIST', templates: 'LIST', budget: 'NUMBER', read: 'own|organization' },
    },
    flags: ['approval', 'attachments'],
    summary: 'Create an API key and show it once',
    run: (world, _positionals, options) => create(world, options),
  },
  {
    name: 'key list',
    positionals: [],
    required: {},
    optional: { org: 'ID' },
    summary: 'List the API keys of every organization, or of one',
    run: (world, _positionals, options) => list(world, options.org ?? null),
  },
  {
    name: 'key revoke',
    positionals: ['ID'],
    required: {},
    optional: {},
    summary: 'Revoke an API key; it stops working within a second',
    run: (world, [id = '']) => revoke(world, id),
  },
];

async function create(world: World, options: Options): Promise<CommandAnswer> {
  const { config, clock } = world;
  const organizationId = options.org ?? '';
  const key = parseOptions(options, clock.nowMs());
  const { row, secret } = await withDatabase(config, async (db) => {
    if ((await findOrganization(db, organizationId)) === undefined) throw noSuchOrganization(organizationId);
    const made = await createApiKey(db, clock, organizationId, key).catch(inWords);
    const { scope, domain, expires_at, policy } = made.row;
    await noteDeed(db, world, {
      ...deedOn(made.row),
      ...{ action: 'api_key.created', details: { scope, domain, expires_at, ...(policy && { policy }) } },
    });
    return made;
  });
  const lines = [
    `Created the key ${row.name} (${row.id}) with scope ${row.scope}. It is shown only once:`,
    '',
    `  ${secret}`,
    '',
  ];
  return { json: { ...row, key: secret }, lines };
}

function inWords(error: unknown): never {
  if (!(error instanceof ServiceError)) throw error;
  const [problem] = error.problems;
  throw new CliError(problem ? `--${problem.field}: ${problem.message}.` : error.message);
}

const OPTION_OF: Readonly<Record<string, string>> = {
  expires_at: 'expires',
  policy: 'scope',
  'policy.recipients': 'recipients',
  'policy.from': 'from',
  'policy.read': 'read',
};

/** Null where nothing is restricted. */
function policyOf(options: Options): AskedPolicy | null {
  const { recipients, from, templates, budget, approval, attachments, read } = options;
  const given = [recipients, from, templates, budget, approval, attachments, read];
  if (given.every((one) => one === undefined)) return null;
  if (read !== undefined && read !== 'own' && read !== 'organization')
    throw new CliError('--read must be own or organization.', EXIT_USAGE);
  const listed = (text: string | undefined) => text?.split(',').map((one) => one.trim()) ?? null;
  const limit = budget === undefined ? null : Number(budget);
  if (limit !== null && !(Number.isInteger(limit) && limit >= 0 && limit <= MAX_DAILY_BUDGET))
    throw new CliError('--budget must be a number of recipients a day, 0 or more.', EXIT_USAGE);
  return {
    recipients: listed(recipients),
    from: listed(from),
    templates: listed(templates),
    daily_budget: limit,
    approval: approval === undefined ? 'none' : 'required',
    attachments: attachments !== undefined,
    read,
  };
}

function parseOptions(options: Options, nowMs: number): NewKey {
  const scope = options.scope ?? '';
  const parsed = parseKeyRequest(
    {
      name: options.name ?? '',
      scope: scope as Scope,
      domain: options.domain ?? null,
      expires_at: options.expires ?? null,
      policy: policyOf(options),
    },
    nowMs,
  );
  const problems = parsed.ok
    ? []
    : parsed.problems.map(
        ({ field, message }) => `--${OPTION_OF[field.replace(/\[.*/, '')] ?? field} ${message}.`,
      );
  if (!SCOPES.some((known) => known === scope)) problems.push(`--scope must be ${SCOPES.join(', ')}.`);
  if (!parsed.ok || problems.length > 0) throw new CliError(problems.join('\n'), EXIT_USAGE);
  return parsed.key;
}

async function list({ config, clock }: World, organizationId: string | null): Promise<CommandAnswer> {
  const rows = await withDatabase(config, async (db) => {
    if (organizationId !== null && (await findOrganization(db, organizationId)) === undefined) {
      throw noSuchOrganization(organizationId);
    }
    return listKeys(db, organizationId);
  });
  const header = ['ID', 'ORGANIZATION', 'NAME', 'KEY', 'SCOPE', 'DOMAIN', 'LAST USED (UTC)', 'STATE'];
  return {
    json: rows,
    lines: table(
      header,
      rows.map((row) => cells(row, clock.nowMs())),
    ),
  };
}

function cells(row: ApiKeyRow, nowMs: number): string[] {
  const state = keyState(row, nowMs);
  const until = state === 'active' && row.expires_at !== null ? ` until ${minute(row.expires_at)}` : '';
  return [
    row.id,
    row.organization_id,
    row.name,
    `${row.prefix}…`,
    row.scope,
    row.domain ?? '',
    minute(row.last_used_at),
    `${state}${until}`,
  ];
}

async function revoke(world: World, id: string): Promise<CommandAnswer> {
  const row = await withDatabase(world.config, async (db) => {
    const revoked = await revokeApiKey(db, world.clock, id, null);
    if (revoked === undefined)
      throw new CliError(`There is no key ${id}. \`npx postrider key list\` lists them.`);
    await noteDeed(db, world, { ...deedOn(revoked), action: 'api_key.revoked' });
    return revoked;
  });
  return { json: row, lines: [`Revoked the key ${row.name} (${row.id}).`] };
}

function deedOn({ id, name, organization_id }: ApiKeyRow): Omit<Deed, 'action'> {
  return { organizationId: organization_id, targetId: id, targetName: name };
}

function noSuchOrganization(id: string): CliError {
  return new CliError(`There is no organization ${id}. \`npx postrider org list\` lists them.`);
}
