import { MAX_DAILY_BUDGET, type RequestedPolicy } from '../accounts/api-keys/policy.ts';
import { createApiKey, keyState } from '../accounts/api-keys/service.ts';
import { type ApiKeyRow, listKeys } from '../accounts/api-keys/store.ts';
import { type NewKey, parseKeyRequest } from '../accounts/api-keys/validate-key.ts';
import { MAIL_OF_REVOKED } from '../interventions/holds/mail-of-key.ts';
import { findOrganization } from '../organizations/store.ts';
import { SCOPES, type Scope } from '../runtime/permissions.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { type OperatorAction, recordOperatorAction } from './audit.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  type CommandContext,
  EXIT_USAGE,
  type Options,
} from './command.ts';
import { withDatabase } from './installation.ts';
import { revokeKeyWithMail } from './revoke-command.ts';
import { minute, table } from './table.ts';

export const keyCommands: readonly Command[] = [
  {
    name: 'key create',
    required: { org: 'ID', name: 'NAME', scope: SCOPES.join('|') },
    optional: {
      ...{ domain: 'DOMAIN', expires: 'DATE' },
      ...{ recipients: 'LIST', from: 'LIST', templates: 'LIST', budget: 'NUMBER', read: 'own|organization' },
    },
    flags: ['approval', 'attachments', 'inbound'],
    summary: 'Create an API key and show it once',
    explains: {
      '--name': 'the name of the key',
      '--scope': 'the rights of the key',
      '--domain': 'the only domain that the key may send from',
      '--expires': 'the last day on which the key works (2026-12-31), or a time (2026-12-31T09:00Z)',
      '--recipients': 'the only addresses and domains that the key may send to, separated by commas',
      '--from': 'the only senders that the key may use, separated by commas',
      '--templates':
        'the only templates that the key may use: ids or aliases separated by commas, or * for all',
      '--budget': 'the maximum number of recipients per UTC day',
      '--read': 'whether an agent looks up only the mail that its key sent, or all mail of the organization',
      '--approval': 'make every email wait until a person approves it',
      '--attachments': 'allow attachments',
      '--inbound': 'allow an agent to list, read and answer received mail',
    },
    example: 'key create --org org_8zqh0yv5k2m1d --name CI --scope send --domain mail.example.org',
    run: (context, _positionals, options) => create(context, options),
  },
  {
    name: 'key list',
    optional: { org: 'ID' },
    summary: 'List the API keys of all organizations, or of one',
    example: 'key list',
    run: (context, _positionals, options) => list(context, options.org ?? null),
  },
  {
    name: 'key revoke',
    positionals: ['ID'],
    optional: { mail: MAIL_OF_REVOKED.join('|') },
    flags: ['yes'],
    summary:
      'Revoke an API key, which stops working within a second; --mail holds or withdraws its queued mail',
    explains: {
      ID: 'the key, by its id',
      '--mail':
        'what to do with queued and scheduled mail of the key: hold it until a person decides, or withdraw it permanently',
      '--yes': 'withdraw the mail; without this option, the command only shows the amount',
    },
    example: 'key revoke key_jk1tpmk1g5d3wygh9a1h --mail hold',
    run: (context, [id = ''], options) => revokeKeyWithMail(context, id, options),
  },
];

async function create(context: CommandContext, options: Options): Promise<CommandAnswer> {
  const { config, clock } = context;
  const organizationId = options.org ?? '';
  const key = parseOptions(options, clock.nowMs());
  const { row, secret } = await withDatabase(config, async (db) => {
    if ((await findOrganization(db, organizationId)) === undefined) throw noSuchOrganization(organizationId);
    const made = await createApiKey(db, clock, organizationId, key).catch(inWords);
    const { scope, domain, expires_at, policy } = made.row;
    await recordOperatorAction(db, context, {
      ...targetFields(made.row),
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
  'policy.inbound': 'inbound',
};

/** Null without restrictions. */
function policyOf(options: Options): RequestedPolicy | null {
  const { recipients, from, templates, budget, approval, attachments, read, inbound } = options;
  const given = [recipients, from, templates, budget, approval, attachments, read, inbound];
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
    inbound: inbound !== undefined,
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

async function list(
  { config, clock }: CommandContext,
  organizationId: string | null,
): Promise<CommandAnswer> {
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

function targetFields({ id, name, organization_id }: ApiKeyRow): Omit<OperatorAction, 'action'> {
  return { organizationId: organization_id, targetId: id, targetName: name };
}

function noSuchOrganization(id: string): CliError {
  return new CliError(`There is no organization ${id}. \`npx postrider org list\` lists the organizations.`);
}
