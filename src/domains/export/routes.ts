/** `/domains/export`. A key restricted to a domain gets only that domain's records. */
import { Type } from 'typebox';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { ApiError } from '../../http/errors.ts';
import { strictObject, stringEnum } from '../../http/schema.ts';
import { parseDomainName } from '../name.ts';
import type { DomainService } from '../service.ts';
import { EXPORT_FORMATS, exportedFile } from './file.ts';

const EXAMPLE = [
  '; DNS records for Postrider',
  '',
  '; example.org',
  'example.org.\t3600\tIN\tTXT\t"v=spf1 include:mail.example.net ~all"',
  '',
].join('\n');

const schema = {
  tags: ['Domains'],
  summary: 'Export the DNS records of all domains',
  description:
    'Returns the required and the recommended records of every domain as a zone file, for Terraform or for octoDNS. Long TXT values are split into strings of 255 octets.',
  querystring: strictObject({
    format: Type.Optional(
      stringEnum(EXPORT_FORMATS, {
        default: 'zone',
        description:
          'Format of the file. `zone`: a zone file (RFC 1035). `terraform`: a `.tf.json` file with the local value `postrider_dns_records`. `octodns`: YAML, one document for each zone.',
      }),
    ),
    zone: Type.Optional(
      Type.String({
        maxLength: 253,
        description:
          'Name of the zone. Only records at or below this name are exported. By default, the zone of each record is its registered domain.',
        examples: ['example.org'],
      }),
    ),
  }),
  response: {
    200: {
      description: 'The DNS records in the requested format',
      content: {
        'text/plain': {
          schema: Type.Unsafe<string>({
            type: 'string',
            description: 'The DNS records in the requested format.',
            examples: [EXAMPLE],
          }),
        },
      },
    },
  },
};

export function domainExportRoutes(domains: DomainService): ApiRoutes {
  return async (app) => {
    app.get('/domains/export', { config: { tied: true }, schema }, async ({ principal, query }, reply) => {
      const zone = query.zone === undefined ? undefined : zoneOf(query.zone);
      const file = exportedFile(query.format ?? 'zone', await domains.dnsRecords([principal], { zone }));
      reply.type('text/plain; charset=utf-8');
      reply.header('Content-Disposition', `attachment; filename="${file.name}"`);
      return file.text;
    });
  };
}

function zoneOf(text: string): string {
  const parsed = parseDomainName(text);
  if (!parsed.ok) throw new ApiError('VALIDATION_ERROR', [{ field: 'zone', message: parsed.message }]);
  return parsed.domain;
}
