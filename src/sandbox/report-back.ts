/**
 * Sends return mail as a remote server would: over SMTP, to the inbound receiver. Retries for about half a
 * minute while the receiver is starting or busy.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SmtpFacts, SmtpTarget } from '../protocols/smtp/facts.ts';
import type { SmtpPool } from '../protocols/smtp/pool.ts';
import type { Clock } from '../runtime/clock.ts';
import { SANDBOX_MX_HOST } from './receiver.ts';
import { autoReply, complaint, lateBounce, type ReturnMail } from './report-messages.ts';
import type { Action, DeliveredMessage } from './simulated-events.ts';

interface ReportBackOptions {
  readonly clock: Clock;
  readonly pool: Pick<SmtpPool, 'send'>;
  readonly receiver: { readonly name: string; readonly address: string; readonly port: number };
}

const TRIES = 7;
const FIRST_PAUSE_MS = 250;

export function createReportActions(options: ReportBackOptions) {
  return {
    late_bounce: sending(options, lateBounce),
    complaint: sending(options, complaint),
    auto_reply: sending(options, autoReply),
  };
}

function sending(
  options: ReportBackOptions,
  compose: (message: DeliveredMessage, nowMs: number) => ReturnMail,
): Action {
  const send = createReturnSender(options, TRIES);
  return (message, signal) => send(compose(message, options.clock.nowMs()), signal);
}

/** The receiver did not take return mail; `facts` say why. */
export class ReturnMailRefused extends Error {
  readonly facts: SmtpFacts;

  constructor(facts: SmtpFacts) {
    super(`The inbound receiver did not accept the message: ${JSON.stringify(facts)}`);
    this.facts = facts;
  }
}

/** Throws ReturnMailRefused when the receiver refuses the mail. */
export function createReturnSender(
  { pool, receiver: { name, address, port } }: Pick<ReportBackOptions, 'pool' | 'receiver'>,
  tries: number,
): (mail: ReturnMail, signal?: AbortSignal) => Promise<void> {
  const target: SmtpTarget = { host: name, address, port, tls: 'opportunistic', ehloName: SANDBOX_MX_HOST };
  return async ({ to, from = '', wire }, signal) => {
    for (let attempt = 1; ; attempt += 1) {
      const facts = await pool.send(target, { from, to, smtpUtf8: false }, wire);
      if (facts.kind === 'accepted') return;
      const isFinal = facts.kind === 'local' || (facts.kind === 'refused' && facts.reply.code >= 500);
      if (isFinal || attempt >= tries) throw new ReturnMailRefused(facts);
      await sleep(FIRST_PAUSE_MS * 2 ** attempt, undefined, signal === undefined ? {} : { signal });
    }
  };
}
