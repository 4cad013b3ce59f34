/**
 * The accounting: what was promised (the ledger), what the database says, and what the outside world saw, held against
 * each other. Every finding here must be empty.
 */

import type { Database } from '../../src/database/database.ts';
import { type Contradictions, loggedEvents, type StoredEmail } from './database-account.ts';
import type { Fault } from './fault-log.ts';
import { type Finding, finding } from './findings.ts';
import type { Ledger, Submission } from './ledger.ts';
import { isRefused, tokenOf } from './mail.ts';
import { type Arrived, deliveryKey, type Hook } from './outside-account.ts';
import { type Repeats, repeatsIn } from './repeats.ts';

/** A finding that a wrong clock explains. */
export const TOO_EARLY = 'sent before its time';

export interface Books {
  readonly ledger: Ledger;
  readonly stored: ReadonlyMap<string, readonly StoredEmail[]>;
  readonly arrived: Arrived;
  readonly faults: readonly Fault[];
}

export function accountOfMail(books: Books): { readonly findings: Finding[]; readonly repeats: Repeats } {
  const repeats = repeatsIn(books.arrived.deliveries, books.faults);
  return {
    repeats,
    findings: [
      finding('accepted, but neither delivered nor reported', lost(books)),
      finding('delivered again without an excuse', repeats.unexplained),
      finding('other status than the recipient’s server knows', misjudged(books)),
      finding('more than one email for one request', doubled(books)),
      finding('batches of which only a part exists', halved(books)),
      finding('refused, but there', refusedButThere(books)),
      finding('another email than was answered', misnamed(books)),
      finding('repeats that were answered otherwise', books.ledger.changedAnswers),
      finding('other bytes than were sent', books.arrived.harmed),
      finding(TOO_EARLY, early(books)),
      finding('delivered, but unknown to the database', strangers(books)),
    ],
  };
}

export function accountOfDatabase(
  found: Contradictions,
  journals: readonly string[],
  wellEnded: boolean,
): Finding[] {
  return [
    finding('recipients without exactly one final event', found.finals),
    finding('starts of a try told more than once', found.processing),
    finding('tries begun again under their number', found.begunAgain),
    finding('counters that differ from a full count', found.counters),
    finding('still claimed', found.claimed),
    finding('journals left after a clean stop', journals),
    finding('stops that were not clean', wellEnded ? [] : ['the installation did not end by itself']),
  ];
}

/** Of two events of one email whose first attempts worked the earlier must have come first. */
export async function accountOfWebhooks(
  db: Database,
  { hooks }: Arrived,
  workers: number,
): Promise<Finding[]> {
  const missing: string[] = [];
  const disordered: string[] = [];
  let before: { email: string; hook: Hook | undefined; tries: number } = {
    email: '',
    hook: undefined,
    tries: 0,
  };
  for await (const { event, email, tries } of loggedEvents(db)) {
    const hook = hooks.get(event);
    if (!hook?.succeeded) missing.push(`${event} of ${email}`);
    // What had to be retried does not hold up those behind it.
    if (email === before.email && before.tries <= 1 && isDisordered(before.hook, hook))
      disordered.push(`${event} of ${email}`);
    before = { email, hook, tries };
  }
  return [
    finding('events that no webhook told', missing),
    // Two workers may each have one of them in hand: then no order is promised.
    { ...finding('events told before the one before them', disordered), mustBeNone: workers === 1 },
  ];
}

function isDisordered(earlier: Hook | undefined, later: Hook | undefined): boolean {
  if (earlier === undefined || later === undefined || earlier.failures > 0) return false;
  return later.firstAt < earlier.firstAt;
}

function tokensOf({ kind, number, emails }: Submission): { token: string; addresses: readonly string[] }[] {
  return emails.map((addresses, i) => ({ token: tokenOf(kind, number, i), addresses }));
}

/** No row, or a recipient about whom nothing final is known, or one said to be delivered whom nobody delivered to. */
function lost({ ledger, stored, arrived }: Books): string[] {
  return ledger.submissions
    .filter(({ state }) => state === 'accepted')
    .flatMap((submission) =>
      tokensOf(submission).flatMap(({ token, addresses }, i) => {
        const email = stored.get(token)?.[0];
        if (email === undefined)
          return [`${token}: accepted as ${submission.emailIds[i] ?? submission.batchId}, and gone`];
        return addresses.flatMap((address) => {
          const state = email.recipients.find((one) => one.address === address)?.state ?? 'missing';
          if (state === 'bounced' || state === 'failed') return [];
          if (state === 'delivered' && arrived.deliveries.has(deliveryKey(token, address))) return [];
          return [`${token} ${email.id} to ${address}: ${state}`];
        });
      }),
    );
}

/** What the sink took is delivered; whom it refused for good has bounced; it fails nobody. */
function misjudged({ stored, arrived }: Books): string[] {
  const odd: string[] = [];
  for (const [token, emails] of stored)
    for (const { id, recipients } of emails)
      for (const { address, state } of recipients) {
        const wanted = isRefused(address) ? 'bounced' : 'delivered';
        const came = arrived.deliveries.has(deliveryKey(token, address));
        if (isFinal(state) && state !== wanted)
          odd.push(`${token} ${id} to ${address}: ${state}, not ${wanted}`);
        else if (came !== (state === 'delivered'))
          odd.push(`${token} ${id} to ${address}: ${state}, came: ${came}`);
      }
  return odd;
}

function isFinal(state: string): boolean {
  return state !== 'queued' && state !== 'deferred';
}

function doubled({ stored }: Books): string[] {
  return [...stored].flatMap(([token, emails]) =>
    emails.length > 1 ? [`${token}: ${emails.map(({ id }) => id).join(', ')}`] : [],
  );
}

function halved({ ledger, stored }: Books): string[] {
  return ledger.submissions.flatMap((submission) => {
    const there = tokensOf(submission).filter(({ token }) => stored.has(token)).length;
    return there === 0 || there === submission.emails.length
      ? []
      : [`${submission.kind}-${submission.number}: ${there} of ${submission.emails.length}`];
  });
}

function refusedButThere({ ledger, stored }: Books): string[] {
  return ledger.submissions
    .filter(({ state }) => state === 'refused')
    .flatMap((submission) => tokensOf(submission).filter(({ token }) => stored.has(token)))
    .map(({ token }) => token);
}

function misnamed({ ledger, stored }: Books): string[] {
  return ledger.submissions.flatMap((submission) => {
    const { state, emailIds, batchId } = submission;
    if (state !== 'accepted') return [];
    return tokensOf(submission).flatMap(({ token }, i) => {
      const wrong = (stored.get(token) ?? []).filter(
        (email) => email.id !== (emailIds[i] ?? email.id) || email.batchId !== (batchId ?? email.batchId),
      );
      return wrong.map(({ id }) => `${token}: answered ${emailIds[i] ?? batchId}, there is ${id}`);
    });
  });
}

function early({ ledger, arrived }: Books): string[] {
  return ledger.submissions.flatMap((submission) => {
    const { scheduledAtMs } = submission;
    if (scheduledAtMs === null) return [];
    return tokensOf(submission).flatMap(({ token, addresses }) =>
      addresses.flatMap((address) => {
        const atMs =
          arrived.deliveries.get(deliveryKey(token, address))?.[0]?.atMs ?? Number.POSITIVE_INFINITY;
        return atMs < scheduledAtMs ? [`${token}: ${Math.round(scheduledAtMs - atMs)} ms`] : [];
      }),
    );
  });
}

function strangers({ stored, arrived }: Books): string[] {
  return [...arrived.deliveries.keys()].filter((key) => !stored.has(key.split(' ')[0] ?? ''));
}
