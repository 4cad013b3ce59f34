/** Sends sandbox return mail to this installation's receiver over SMTP, as a remote server would. */

import type { DomainService } from '../domains/service.ts';
import { SmtpPool } from '../protocols/smtp/pool.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { localAddress } from '../runtime/host-name.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { RecipientActions } from './recipient-actions.ts';
import { createReturnSender, ReturnMailRefused } from './report-back.ts';
import type { ReturnMail } from './report-messages.ts';
import { sampleReports } from './sample-reports.ts';

interface ReturnMailDeps {
  readonly config: Config;
  readonly clock: Clock;
}

/** A user waits, so a receiver that is still starting gets few retries. */
const TRIES = 3;

/** The reply for an address that nobody receives mail at. */
const UNKNOWN_MAILBOX = 550;

const NOT_TAKEN =
  'The inbound server did not accept the mail. Check that it is running (npx postrider status), and try again.';
const NOT_RECEIVED =
  'No address receives replies to this message. Send the email with "receive_replies": true, or from an address that has a route (POST /inbound/routes).';

async function sendReturnMail(
  mails: readonly ReturnMail[],
  { config, clock }: ReturnMailDeps,
): Promise<void> {
  const { hostname: name, inbound } = config;
  const pool = new SmtpPool({ clock, limits: { stopGraceMs: 0 } });
  const receiver = { name, address: localAddress(inbound.host), port: inbound.port };
  const send = createReturnSender({ pool, receiver }, TRIES);
  try {
    for (const mail of mails) await send(mail);
  } catch (error) {
    const facts = error instanceof ReturnMailRefused ? error.facts : null;
    const isUnknown = facts?.kind === 'refused' && facts.reply.code === UNKNOWN_MAILBOX;
    throw new ServiceError('CONFLICT', isUnknown ? NOT_RECEIVED : NOT_TAKEN, { cause: error });
  } finally {
    await pool.stop();
  }
}

/** Sends sample reports about a domain as a remote receiver would. */
export function createSampleSender(deps: ReturnMailDeps, domains: DomainService) {
  return async (organizationId: string, domainId: string): Promise<number> => {
    const row = await domains.find({ organizationId }, domainId);
    const { dmarc, tls } = domains.reportsTo(row);
    if (dmarc === null || tls === null)
      throw new ServiceError('CONFLICT', 'This installation receives no reports about domains.');
    if (!(row.spf_verified && row.dkim_verified)) throw new ServiceError('CONFLICT', NOT_VERIFIED);
    const sampled = { domain: row.domain, host: domains.host, dmarcTo: dmarc, tlsTo: tls };
    const mails = sampleReports(sampled, deps.clock.nowMs());
    await sendReturnMail(mails, deps);
    return mails.length;
  };
}

const NOT_VERIFIED =
  'Only verified domains have sample reports. Verify the domain first (GET /domains/:id/verify).';

/** Assembles recipient actions in the sandbox, with the installation's addresses. */
export function createRecipientActions(deps: ReturnMailDeps): RecipientActions {
  const { config, clock } = deps;
  return new RecipientActions({
    publicUrl: config.publicUrl,
    clock,
    sendBack: (mail) => sendReturnMail([mail], deps),
  });
}
