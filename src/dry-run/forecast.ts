/**
 * The outcome of emails if they were sent now. Nothing is stored, counted or sent. Each decision comes from
 * the code that makes the real one: submission and its gates, message composition and signing, the route
 * table, the classifier of replies.
 */
import type { NewEmail, Recipient } from '../emails/email.ts';
import type { HoldRow } from '../interventions/holds/store.ts';
import type { AcceptResult } from '../submission/email-acceptor.ts';
import type { SubmissionDeps } from '../submission/submit.ts';
import type { WouldRefuseDeps } from '../submission/would-refuse.ts';
import type { ValidationVerdict } from '../validation/score.ts';
import { DryRunAcceptor, type DryRunEmail } from './dry-run-acceptor.ts';
import { type ExpectedTime, expectedTime } from './expected-time.ts';
import { forecastMessage, type MessageForecast, type MessageForecastDeps } from './message-forecast.ts';
import {
  type ForecastDestination,
  type ForecastFacts,
  type ForecastFactsDeps,
  holdsOnAll,
  readForecastFacts,
  wayOf,
} from './recipient-facts.ts';
import { type Expected, expectedOutcome } from './recipient-outcome.ts';
import { StreamTurns } from './stream-turns.ts';
import { type TlsForecast, tlsForecast } from './tls-forecast.ts';

export interface ForecastDeps extends MessageForecastDeps, ForecastFactsDeps, Omit<WouldRefuseDeps, 'db'> {
  readonly submission: SubmissionDeps;
}

export interface RecipientForecast extends Expected {
  readonly email: string;
  readonly provider: string | null;
  readonly site: string | null;
  readonly route: ReturnType<typeof wayOf>['route'];
  readonly tls: TlsForecast['tls'];
  readonly validation: { readonly verdict: ValidationVerdict; readonly risk_score: number } | null;
  readonly took: ExpectedTime | null;
}

export interface EmailForecast {
  readonly id: string;
  readonly message: MessageForecast | null;
  readonly recipients: readonly RecipientForecast[];
}

/**
 * `messages`: how many emails are also composed and parsed, from the first one on; this is the expensive
 * part.
 */
export async function forecastEmails<Outcome>(
  deps: ForecastDeps,
  { messages }: { readonly messages: number },
  submit: (submission: SubmissionDeps) => Promise<Outcome>,
): Promise<{ readonly outcome: Outcome; readonly forecasts: readonly EmailForecast[] }> {
  const dryRunAcceptor = new DryRunAcceptor(deps);
  const outcome = await submit({ ...deps.submission, acceptor: dryRunAcceptor });
  return { outcome, forecasts: await forecastAll(deps, dryRunAcceptor.emails, messages) };
}

async function forecastAll(
  deps: ForecastDeps,
  emails: readonly DryRunEmail[],
  messages: number,
): Promise<EmailForecast[]> {
  const [first] = emails;
  if (first === undefined) return [];
  const addresses = emails.flatMap(({ email }) => email.recipients.map(({ address }) => address));
  const facts = await readForecastFacts(deps, first.email.organizationId, addresses);
  const holds = await holdsOnAll(deps, emails, facts);
  const turns = await turnsFor(deps, emails);
  const forecasts: EmailForecast[] = [];
  for (const [index, { email, result }] of emails.entries()) {
    const own = holds[index] ?? [];
    forecasts.push({
      id: email.id,
      message: index < messages ? await forecastMessage(deps, email) : null,
      recipients: email.recipients.map((recipient, position) =>
        forecastRecipient(deps, { email, result, recipient, hold: own[position] ?? null, turns }, facts),
      ),
    });
  }
  return forecasts;
}

interface Asked {
  readonly email: NewEmail;
  readonly result: AcceptResult;
  readonly recipient: Recipient;
  readonly hold: HoldRow | null;
  readonly turns: StreamTurns;
}

function turnsFor({ db, clock }: ForecastDeps, emails: readonly DryRunEmail[]): Promise<StreamTurns> {
  const mail = emails.map(({ email }) => email);
  return StreamTurns.read(db, mail[0]?.organizationId ?? '', mail, clock.nowMs());
}

function forecastRecipient(deps: ForecastDeps, asked: Asked, facts: ForecastFacts): RecipientForecast {
  const { address } = asked.recipient;
  const destination = facts.destinations.get(address.domain) ?? null;
  const { route, health } = wayOf(deps, asked.email, address.domain, facts);
  const { tls, problem, doubt } = tlsForecast(
    asked.email.tls,
    destination,
    relayUrlOf(route.transport, facts),
  );
  const validated = facts.validated.get(address.key);
  const refusal = refusalFor(asked);
  const goesNow = refusal === null && asked.hold === null;
  const expected = expectedOutcome({
    refusal,
    hold: asked.hold,
    turn: goesNow ? asked.turns.next(asked.email) : null,
    certain: problem ?? deps.scripted(address),
    doubt,
    health,
    isWorkerRunning: facts.isWorkerRunning,
  });
  return {
    ...expected,
    notBefore: later(expected.notBefore, asked.email.scheduledAtMs),
    email: address.email,
    provider: destination?.provider ?? null,
    site: destination?.site ?? null,
    route,
    tls,
    validation: validated ? { verdict: validated.verdict, risk_score: validated.score } : null,
    took: expected.outcome === 'delivered' ? timeAt(destination, facts) : null,
  };
}

function relayUrlOf(transport: string, { table }: ForecastFacts): string | null {
  const named = table.transports.find(({ name }) => name === transport);
  return named?.kind === 'relay' ? named.url : null;
}

/**
 * Behind a relay, past deliveries are recorded for the relay, unless a rule depends on the destination behind
 * it.
 */
function timeAt(destination: ForecastDestination | null, { times }: ForecastFacts): ExpectedTime | null {
  if (destination === null) return null;
  return expectedTime(times.get(destination.site) ?? times.get(destination.home) ?? []);
}

/** An email is accepted with all of its recipients or with none. */
function refusalFor({ result, recipient }: Asked): string | null {
  if (result.kind === 'accepted') return null;
  if (result.kind !== 'recipients_suppressed') return 'The email is not accepted.';
  const own = result.recipients.find(({ email }) => email === recipient.address.email);
  if (own === undefined) return 'The email is not accepted, because of another recipient.';
  return own.group === null
    ? 'The address is on the suppression list.'
    : `They have unsubscribed from the group \`${own.group}\`.`;
}

function later(notBefore: Date | null, scheduledAtMs: number | null): Date | null {
  if (scheduledAtMs === null) return notBefore;
  return new Date(Math.max(scheduledAtMs, notBefore?.getTime() ?? 0));
}
