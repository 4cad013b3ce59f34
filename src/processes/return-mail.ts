/** Sends sandbox return mail to this installation's receiver over SMTP, as a remote server would. */

import { SmtpPool } from '../protocols/smtp/pool.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { localAddress } from '../runtime/host-name.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { createReturnSender, type ReturnMail, ReturnMailRefused } from '../sandbox/report-back.ts';

export interface ReturnMailDeps {
  readonly config: Config;
  readonly clock: Clock;
}

/** A user waits, so a receiver that is still starting gets few retries. */
const TRIES = 3;

/** The reply for an address that nobody receives mail at. */
const UNKNOWN_MAILBOX = 550;

const NOT_TAKEN =
  'The receiver of bounces did not take it. Look whether it runs (npx postrider status), and try again.';
const NOT_RECEIVED =
  'Nobody receives what is answered to it. Send it with "receive_replies": true, or from an address that has a route (POST /inbound/routes).';

export async function sendReturnMail(
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
