/**
 * The outcome of emails if they were sent now. Nothing is stored, counted or sent. Each decision comes from
 * the code that makes the real one: submission and its gates, message composition and signing, the route
 * table, the classifier of replies.
 */

import { demanding } from '../delivery/attempt/require-tls.ts';
import type { RouteProblem } from '../delivery/facts.ts';
import type { NewEmail, Recipient } from '../emails/email.ts';
import type { HoldRow } from '../interventions/holds/store.ts';
import type { MessageTls, SmtpFacts, SmtpTarget } from '../protocols/smtp/facts.ts';
import { parseRelay } from '../protocols/smtp/relay-url.ts';
import type { AcceptResult, EmailAcceptor, Submission } from '../submission/email-acceptor.ts';
import type { SubmissionDeps } from '../submission/submit.ts';
import { type WouldRefuseDeps, wouldRefuse } from '../submission/would-refuse.ts';
import type { ValidationVerdict } from '../validation/score.ts';
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

/** The expected duration of the next delivery to a site, from recent ones. Pure. */
interface ExpectedTime {
  readonly p50_ms: number;
  readonly p90_ms: number;
  /** The number of deliveries it is based on. */
  readonly deliveries: number;
}

/** Fewer deliveries give no useful estimate. */
const MIN_DELIVERIES = 20;

/** Null when there is too little data. */
function expectedTime(took: readonly number[]): ExpectedTime | null {
  if (took.length < MIN_DELIVERIES) return null;
  const sorted = took.toSorted((one, other) => one - other);
  return { p50_ms: coverOf(sorted, 0.5), p90_ms: coverOf(sorted, 0.9), deliveries: sorted.length };
}

/**
 * A duration that the next delivery stays within with this probability: the next one is equally likely at any
 * rank among n + 1, so ranks are counted in n + 1.
 */
function coverOf(sorted: readonly number[], part: number): number {
  const place = Math.min(Math.ceil((sorted.length + 1) * part), sorted.length);
  return sorted[place - 1] ?? 0;
}

interface DryRunEmail {
  readonly email: NewEmail;
  readonly result: AcceptResult;
}

/**
 * Replaces the acceptor of emails in a dry run: queries the gates and keeps the emails for the forecast, but
 * stores none. So all other decisions of submission apply unchanged.
 */
class DryRunAcceptor implements EmailAcceptor {
  readonly #deps: WouldRefuseDeps;
  #emails: readonly DryRunEmail[] = [];

  constructor(deps: WouldRefuseDeps) {
    this.#deps = deps;
  }

  /** The submitted emails, in order. */
  get emails(): readonly DryRunEmail[] {
    return this.#emails;
  }

  async accept({ emails, allOrNone = false }: Submission): Promise<readonly AcceptResult[]> {
    const refusals = await wouldRefuse(this.#deps, emails);
    const own = refusals.map((refused): AcceptResult => refused ?? { kind: 'accepted' });
    this.#emails = emails.map((email, index) => ({ email, result: own[index] as AcceptResult }));
    const found = refusals.flatMap((refused, draft) => (refused === null ? [] : [{ draft, refused }]));
    return allOrNone && found.length > 0 ? own.map(() => ({ kind: 'some_refused', refusals: found })) : own;
  }

  async rememberEmpty(): Promise<void> {}
}

/** The TLS situation of a mail at its destination, from known facts. Pure. */
interface TlsForecast {
  readonly tls: { readonly mode: string; readonly policy: string } | null;
  /** What prevents the mail from being sent. */
  readonly problem: RouteProblem | SmtpFacts | null;
  /** A possible problem, as a sentence. */
  readonly doubt: string | null;
}

/**
 * `relayUrl`: the relay that the route table chose. Its own TLS settings apply, regardless of the recipient.
 */
function tlsForecast(
  messageTls: MessageTls | null,
  destination: ForecastDestination | null,
  relayUrl: string | null,
): TlsForecast {
  const problem = problemOf(messageTls, destination);
  const hops = relayUrl === null ? hopsOf(destination, problem) : [relayHop(relayUrl)];
  const [first] = hops;
  const none = { tls: null, problem, doubt: null };
  if (first === undefined) return none;
  if (messageTls !== 'required' || first.isSandbox === true) return { ...none, tls: tlsOf(first) };
  const demanded = hops.map(demanding);
  const usable = demanded.find((one) => !('kind' in one));
  if (usable === undefined || 'kind' in usable) return { ...none, problem: problem ?? factsOf(demanded) };
  return { problem, tls: tlsOf(usable), doubt: DOUBT };
}

const DOUBT =
  'Whether the server offers REQUIRETLS is known only at the delivery. Without REQUIRETLS the email bounces.';

/** A domain's TLS demand does not stop mail that may be sent without TLS. */
function problemOf(
  messageTls: MessageTls | null,
  destination: ForecastDestination | null,
): RouteProblem | null {
  const problem = destination?.problem ?? null;
  return messageTls === 'optional' && problem?.despite !== undefined ? null : problem;
}

function hopsOf(
  destination: ForecastDestination | null,
  problem: RouteProblem | null,
): readonly SmtpTarget[] {
  if (destination === null || problem !== null) return [];
  return destination.problem?.despite?.hops ?? destination.hops;
}

function relayHop(url: string): SmtpTarget {
  return { ...parseRelay(url), nameProof: 'ours', address: '', ehloName: '' };
}

function factsOf(demanded: readonly (SmtpTarget | SmtpFacts)[]): SmtpFacts | null {
  return demanded.find((one): one is SmtpFacts => 'kind' in one) ?? null;
}

function tlsOf({ tls: mode, tlsPolicy = 'opportunistic' }: SmtpTarget): TlsForecast['tls'] {
  return { mode, policy: tlsPolicy };
}
