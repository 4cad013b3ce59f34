import type { Database } from '../database/database.ts';
import { EXPORT_FORMATS, type ExportFormat, exportedFile } from '../domains/export/file.ts';
import { parseDomainName } from '../domains/name.ts';
import { signingSentence, signingStateOf } from '../domains/own-dkim/own-signer.ts';
import type { OwnKeyRow } from '../domains/own-dkim/store.ts';
import { DomainService } from '../domains/service.ts';
import type { DomainWithKey } from '../domains/signing-keys.ts';
import { findByName } from '../domains/store.ts';
import type { DnsCheck } from '../domains/verify.ts';
import { presentDomain, presentNewDomain } from '../domains/view.ts';
import { listOrganizations } from '../organizations/store.ts';
import { createDomainChecking } from '../processes/domain-checking.ts';
import { checkOwnDkimRecord, ownRecord } from '../processes/own-dkim.ts';
import type { DomainName } from '../protocols/message/domain-name.ts';
import { createLog } from '../runtime/log.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { type OperatorAction, recordOperatorAction } from './audit.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  type CommandContext,
  EXIT_FAILED,
  EXIT_USAGE,
  type Options,
} from './command.ts';
import { openKeyRing, withDatabase } from './installation.ts';
import { checkOrganization } from './organization-lookup.ts';
import { recordLines } from './record-lines.ts';
import { minute, table } from './table.ts';

const common = { required: { org: 'ID' }, optional: {} } as const;

export const domainCommands: readonly Command[] = [
  {
    name: 'domain add',
    positionals: ['DOMAIN'],
    ...common,
    summary: 'Register a sending domain and show the DNS records to publish',
    explains: {
      DOMAIN: 'the sending domain, such as mail.example.org',
    },
    example: 'domain add mail.example.org --org org_8zqh0yv5k2m1d',
    run: (context, [name = ''], { org = '' }) => add(context, org, name),
  },
  {
    name: 'domain list',
    ...common,
    summary: 'List the sending domains of an organization',
    example: 'domain list --org org_8zqh0yv5k2m1d',
    run: (context, _positionals, { org = '' }) => list(context, org),
  },
  {
    name: 'domain verify',
    positionals: ['DOMAIN'],
    ...common,
    summary:
      'Check the DNS records now, and show the problems; exits with 1 unless all required records are right',
    explains: {
      DOMAIN: 'the sending domain, such as mail.example.org',
    },
    example: 'domain verify mail.example.org --org org_8zqh0yv5k2m1d',
    run: (context, [name = ''], { org = '' }) => verify(context, org, name),
  },
  {
    name: 'domain rotate-dkim',
    positionals: ['DOMAIN'],
    ...common,
    flags: ['cancel'],
    summary:
      'Create a new DKIM key and show the record to publish; the key is used as soon as DNS has the record',
    explains: {
      DOMAIN: 'the sending domain, such as mail.example.org',
      '--cancel': 'cancel the rotation and keep the current key',
    },
    example: 'domain rotate-dkim mail.example.org --org org_8zqh0yv5k2m1d',
    run: (context, [name = ''], { org = '', cancel }) => rotateDkim(context, org, name, cancel !== undefined),
  },
  {
    name: 'domain remove',
    positionals: ['DOMAIN'],
    ...common,
    summary: 'Delete a sending domain with its key',
    explains: {
      DOMAIN: 'the sending domain, such as mail.example.org',
    },
    example: 'domain remove mail.example.org --org org_8zqh0yv5k2m1d',
    run: (context, [name = ''], { org = '' }) => remove(context, org, name),
  },
];

interface Opened {
  readonly db: Database;
  readonly domains: DomainService;
}

async function add(context: CommandContext, organizationId: string, name: string): Promise<CommandAnswer> {
  const domain = canonical(name);
  const { json, row } = await withDomains(context, organizationId, async ({ db, domains }) => {
    const registered = await domains.register(organizationId, domain);
    await recordOperatorAction(db, context, {
      ...targetFields(registered, organizationId),
      action: 'domain.created',
    });
    const reportsTo = domains.reportsTo(registered);
    return { row: registered, json: presentNewDomain(registered, domains.host, reportsTo, domains.sts) };
  });
  return {
    json,
    lines: [
      `Registered ${domain} (${row.id}). Publish these records:`,
      '',
      ...recordLines(json.dns_records),
      '',
      `Then: npx postrider domain verify ${domain} --org ${organizationId}`,
    ],
  };
}

async function list(context: CommandContext, organizationId: string): Promise<CommandAnswer> {
  const { json, rows } = await withDomains(context, organizationId, async ({ domains }) => {
    const all = await domains.list({ organizationId });
    return {
      rows: all,
      json: all.map((row) => presentDomain(row, domains.host, domains.reportsTo(row), domains.sts)),
    };
  });
  const cells = rows.map((row) => [row.id, row.domain, stateOf(row), minute(row.last_checked_at)]);
  return {
    json,
    lines: table(['ID', 'DOMAIN', 'STATE', 'LAST CHECKED (UTC)'], cells),
  };
}

async function verify(context: CommandContext, organizationId: string, name: string): Promise<CommandAnswer> {
  const { json, row } = await withDomains(context, organizationId, async ({ db, domains }) => {
    const checked = await domains.verify({ organizationId }, await idOf(db, organizationId, name));
    return {
      row: checked,
      json: presentDomain(checked, domains.host, domains.reportsTo(checked), domains.sts),
    };
  });
  const findings = json.checks.map(({ record, status, message }) => [record, status, message]);
  return {
    json,
    lines: [
      `${row.domain} is ${stateOf(row)}.`,
      ...(json.dkim_rotation === null ? [] : [json.dkim_rotation.message]),
      '',
      ...table(['RECORD', 'RESULT', 'WHAT TO DO'], findings),
    ],
    exitCode: json.is_verified && json.checks.every(isRight) ? 0 : EXIT_FAILED,
  };
}

/** A domain stays verified for days after its records broke; a script needs today's state. */
function isRight({ status }: Pick<DnsCheck, 'status'>): boolean {
  return status === 'pass' || status === 'warn';
}

async function rotateDkim(
  context: CommandContext,
  organizationId: string,
  name: string,
  cancel: boolean,
): Promise<CommandAnswer> {
  const { json, row } = await withDomains(context, organizationId, async ({ db, domains }) => {
    const id = await idOf(db, organizationId, name);
    const changed = cancel
      ? await domains.cancelDkimRotation(organizationId, id)
      : await domains.rotateDkim(organizationId, id);
    const action = cancel ? 'domain.dkim_rotation_cancelled' : 'domain.dkim_rotation_started';
    await recordOperatorAction(db, context, { ...targetFields(changed, organizationId), action });
    return {
      row: changed,
      json: presentDomain(changed, domains.host, domains.reportsTo(changed), domains.sts),
    };
  });
  const rotation = json.dkim_rotation;
  if (rotation === null) return { json, lines: [`Cancelled. ${row.domain} keeps its key ${row.selector}.`] };
  return {
    json,
    lines: [
      `${row.domain} has a new key. Publish this record, and leave the old one in place:`,
      '',
      ...recordLines([rotation.dns_record]),
      '',
      'Signing switches automatically once DNS has shown it twice. To check now:',
      `npx postrider domain verify ${row.domain} --org ${organizationId}`,
    ],
  };
}

async function remove(context: CommandContext, organizationId: string, name: string): Promise<CommandAnswer> {
  const domain = canonical(name);
  const id = await withDomains(context, organizationId, async ({ db, domains }) => {
    const found = await idOf(db, organizationId, name);
    await domains.remove(organizationId, found);
    await recordOperatorAction(db, context, {
      ...targetFields({ id: found, domain }, organizationId),
      action: 'domain.deleted',
    });
    return found;
  });
  return { json: { id, deleted: true }, lines: [`Deleted ${domain} (${id}).`] };
}

function targetFields(
  { id, domain }: Pick<DomainWithKey, 'id' | 'domain'>,
  organizationId: string,
): Omit<OperatorAction, 'action'> {
  return { organizationId, targetId: id, targetName: domain };
}

function stateOf(row: DomainWithKey): string {
  if (!(row.spf_verified && row.dkim_verified)) return 'not verified';
  return row.failing_since === null ? 'verified' : 'verified, but its records are wrong';
}

/** Null means all organizations. */
function withDomains<T>(
  { config, clock }: CommandContext,
  organizationId: string | null,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  return withDatabase(config, async (db) => {
    if (organizationId !== null) await checkOrganization(db, organizationId);
    const own = organizationId === null ? db : db.of(organizationId);
    const checking = createDomainChecking({
      config,
      clock,
      db: own,
      ring: await openKeyRing(db, config),
      log: createLog('cli', 'silent'),
    });
    try {
      return await work({ db: own, domains: new DomainService(checking) });
    } catch (error) {
      throw error instanceof ServiceError ? new CliError(error.message) : error;
    } finally {
      await checking.lookups.stop();
    }
  });
}

function canonical(name: string): DomainName {
  const parsed = parseDomainName(name);
  if (!parsed.ok) throw new CliError(parsed.message, EXIT_USAGE);
  return parsed.domain;
}

async function idOf(db: Database, organizationId: string, name: string): Promise<string> {
  const domain = canonical(name);
  const row = await findByName(db, organizationId, domain);
  if (row !== undefined) return row.id;
  throw new CliError(
    `${domain} is not a domain of ${organizationId}. See: npx postrider domain list --org ${organizationId}`,
  );
}

export const dkimCommand: Command = {
  name: 'dkim',
  summary: "Show the DKIM record of the installation's own domain, and look it up in DNS now",
  example: 'dkim',
  run: show,
};

async function show({ config, clock }: CommandContext): Promise<CommandAnswer> {
  const domain = config.dkimDomain;
  if (domain === undefined) {
    throw new CliError(
      "POSTRIDER_DKIM_DOMAIN is not set: mail is signed by its sender's domain alone. Set POSTRIDER_DKIM_DOMAIN to your own domain, such as the domain of POSTRIDER_HOSTNAME, for every process and this shell.",
    );
  }
  const key = await withDatabase(config, async (db) => {
    const ring = await openKeyRing(db, config);
    return checkOwnDkimRecord({ config, db, clock, ring, log: createLog('cli', 'silent') }, domain);
  });
  return answerTo(key, config.mode);
}

function answerTo(key: OwnKeyRow, mode: CommandContext['config']['mode']): CommandAnswer {
  const { domain, switches, missing_since, last_check: check, checked_at } = key;
  const state = signingStateOf(key);
  const dns_record = ownRecord(key);
  const signing_from = state === 'waiting' ? null : switches.at(-1);
  return {
    json: { domain, state, signing_from, missing_since, dns_record, check, checked_at },
    lines: [
      mode === 'live'
        ? signingSentence(key)
        : `In the sandbox mail is not signed by ${domain}; live mail is.`,
      '',
      ...recordLines([dns_record]),
      '',
      check?.message ?? '',
    ],
    exitCode: check?.status === 'pass' ? 0 : EXIT_FAILED,
  };
}

export const domainExportCommand: Command = {
  name: 'domain export',
  required: {},
  optional: { org: 'ID', format: 'zone|terraform|octodns', zone: 'NAME' },
  flags: ['with-host'],
  summary: 'Print the DNS records of all domains as one file; --with-host adds those of this server',
  explains: {
    '--org': 'only domains of this organization, by its id; the default is all organizations',
    '--format': 'a BIND zone file, or the input of Terraform or octoDNS; the default is a zone file',
    '--zone': 'only records in this zone, with names relative to it',
    '--with-host': 'also print the records of the host names of this server',
  },
  example: 'domain export --format terraform',
  run: (context, _positionals, options) => exportRecords(context, options),
};

async function exportRecords(context: CommandContext, options: Options): Promise<CommandAnswer> {
  const { org = null, zone, 'with-host': withHost } = options;
  const format = formatOf(options.format ?? 'zone');
  const choice = { withHost: withHost !== undefined, zone: zone === undefined ? undefined : zoneOf(zone) };
  const found = await withDomains(context, org, async ({ db, domains }) => {
    const ids = org === null ? (await listOrganizations(db)).map(({ id }) => id) : [org];
    return domains.dnsRecords(
      ids.map((organizationId) => ({ organizationId })),
      choice,
    );
  });
  return {
    json: { records: found.records, left_out: found.leftOut },
    lines: exportedFile(format, found).text.trimEnd().split('\n'),
  };
}

function formatOf(given: string): ExportFormat {
  const format = EXPORT_FORMATS.find((one) => one === given);
  if (format !== undefined) return format;
  throw new CliError(`--format must be one of ${EXPORT_FORMATS.join(', ')}, not ${given}.`, EXIT_USAGE);
}

function zoneOf(given: string): string {
  const parsed = parseDomainName(given);
  if (!parsed.ok) throw new CliError(`--zone: ${parsed.message}`, EXIT_USAGE);
  return parsed.domain;
}
