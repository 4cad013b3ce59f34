import { EXPORT_FORMATS, type ExportFormat, exportedFile } from '../domains/export/file.ts';
import { parseDomainName } from '../domains/name.ts';
import { listOrganizations } from '../organizations/store.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  type CommandContext,
  EXIT_USAGE,
  type Options,
} from './command.ts';
import { withDomains } from './domain-commands.ts';

export const domainExportCommand: Command = {
  name: 'domain export',
  positionals: [],
  required: {},
  optional: { org: 'ID', format: 'zone|terraform|octodns', zone: 'NAME' },
  flags: ['with-host'],
  summary: 'Print the DNS records of all domains as one file; --with-host adds those of this server',
  explains: {
    '--org': 'only domains of this organization, by its id; without it, those of all organizations',
    '--format': 'a zone file of BIND, or the input of Terraform or octoDNS; a zone file without it',
    '--zone': 'only records in this zone, with names relative to it',
    '--with-host': 'also the records of the host names of this server',
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
