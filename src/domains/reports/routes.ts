/** `/domains/:id/reports`: receivers' reports about a domain. A key restricted to a domain sees only that domain. */
import type { Reads } from '../../database/reads.ts';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { dataOf } from '../../http/envelope.ts';
import type { ErrorCode } from '../../http/errors.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { DomainReach } from '../../runtime/permissions.ts';
import { domainParams } from '../schema.ts';
import type { DomainService } from '../service.ts';
import { dmarcReportsSchema, reportsQuery, tlsReportsSchema } from './schema.ts';
import { dmarcReportsOf, type ReportQuestion, tlsReportsOf } from './service.ts';

interface DomainReportDeps {
  readonly domains: DomainService;
  readonly reads: Reads;
  readonly clock: Clock;
  /** The configured sending addresses. */
  readonly addresses: readonly string[];
}

const common = { tags: ['Domains'], params: domainParams, querystring: reportsQuery };

const dmarc = {
  ...common,
  summary: 'Summarize the DMARC reports about a domain',
  description:
    'Lists the sources that send mail in the name of the domain. Receivers send these reports once a day to the address in the DMARC record. Anyone can send mail to that address, so the reports are no proof.',
  response: { 200: dataOf(dmarcReportsSchema) },
};

const tls = {
  ...common,
  summary: 'Summarize the TLS reports about a domain',
  description:
    'Returns how mail to the domain was encrypted. Senders report once a day to the address in the DNS record `_smtp._tls`. The reports are about mail to the domain, wherever its mailboxes are.',
  response: { 200: dataOf(tlsReportsSchema) },
};

const config = { errors: ['NOT_FOUND'] as readonly ErrorCode[], tied: true } as const;

export function domainReportRoutes({ domains, reads, clock, addresses }: DomainReportDeps): ApiRoutes {
  const asked = async (reach: DomainReach, id: string, days: number): Promise<ReportQuestion> => {
    const row = await domains.find(reach, id);
    return { row, days, nowMs: clock.nowMs(), reportsTo: domains.reportsTo(row) };
  };
  return async (app) => {
    app.get('/domains/:id/reports/dmarc', { config, schema: dmarc }, async ({ principal, params, query }) => {
      const question = await asked(principal, params.id, query.days);
      const own = { host: domains.host, addresses };
      return { data: await dmarcReportsOf(reads.lately(principal.organizationId), question, own) };
    });

    app.get('/domains/:id/reports/tls', { config, schema: tls }, async ({ principal, params, query }) => {
      const question = await asked(principal, params.id, query.days);
      return { data: await tlsReportsOf(reads.lately(principal.organizationId), question) };
    });
  };
}
