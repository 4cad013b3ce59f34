/** Sample reports about a domain, sent to the receiver of this installation over SMTP, as a receiver elsewhere would send them. */
import type { DomainService } from '../domains/service.ts';
import type { Clock } from '../kit/runtime/clock.ts';
import type { Config } from '../kit/runtime/config.ts';
import { localAddress } from '../kit/runtime/host-name.ts';
import { ServiceError } from '../kit/service-error.ts';
import { SmtpPool } from '../kit/smtp/pool.ts';
import { createReturnSender } from '../sandbox/report-back.ts';
import { type SampleMail, sampleReports } from '../sandbox/sample-reports.ts';

/** Somebody waits: a receiver that is just starting is tried again once or twice. */
const TRIES = 3;

export function createSampleSender({ config, clock }: SampleDeps, domains: DomainService) {
  return async (organizationId: string, domainId: string): Promise<number> => {
    const row = await domains.find({ organizationId }, domainId);
    const { dmarc, tls } = domains.reportsTo(row);
    if (dmarc === null || tls === null) throw new ServiceError('CONFLICT', 'No reports are taken here.');
    if (!(row.spf_verified && row.dkim_verified)) throw new ServiceError('CONFLICT', NOT_VERIFIED);
    const sampled = { domain: row.domain, host: domains.host, dmarcTo: dmarc, tlsTo: tls };
    const mails = sampleReports(sampled, clock.nowMs());
    await sendAll(mails, { config, clock });
    return mails.length;
  };
}

interface SampleDeps {
  readonly config: Config;
  readonly clock: Clock;
}

const NOT_VERIFIED =
  'Reports are taken for verified domains only. Verify the domain first (GET /domains/:id/verify).';
const NOT_TAKEN =
  'The receiver of bounces did not take the reports. Look whether it runs (npx postrider status), and try again.';

async function sendAll(mails: readonly SampleMail[], { config, clock }: SampleDeps): Promise<void> {
  const { hostname: name, inbound } = config;
  const pool = new SmtpPool({ clock, limits: { stopGraceMs: 0 } });
  const receiver = { name, address: localAddress(inbound.host), port: inbound.port };
  const send = createReturnSender({ pool, receiver }, TRIES);
  try {
    for (const mail of mails) await send(mail);
  } catch (error) {
    throw new ServiceError('CONFLICT', NOT_TAKEN, { cause: error });
  } finally {
    await pool.stop();
  }
}
