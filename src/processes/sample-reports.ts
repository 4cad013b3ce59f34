/** Sends sample reports about a domain as a remote receiver would. */
import type { DomainService } from '../domains/service.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { sampleReports } from '../sandbox/sample-reports.ts';
import { type ReturnMailDeps, sendReturnMail } from './return-mail.ts';

export function createSampleSender(deps: ReturnMailDeps, domains: DomainService) {
  return async (organizationId: string, domainId: string): Promise<number> => {
    const row = await domains.find({ organizationId }, domainId);
    const { dmarc, tls } = domains.reportsTo(row);
    if (dmarc === null || tls === null) throw new ServiceError('CONFLICT', 'No reports are taken here.');
    if (!(row.spf_verified && row.dkim_verified)) throw new ServiceError('CONFLICT', NOT_VERIFIED);
    const sampled = { domain: row.domain, host: domains.host, dmarcTo: dmarc, tlsTo: tls };
    const mails = sampleReports(sampled, deps.clock.nowMs());
    await sendReturnMail(mails, deps);
    return mails.length;
  };
}

const NOT_VERIFIED =
  'Reports are taken for verified domains only. Verify the domain first (GET /domains/:id/verify).';
