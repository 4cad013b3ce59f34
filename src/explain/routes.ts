/** Explains emails and requests retries. */
import { Type } from 'typebox';
import type { Database } from '../database/database.ts';
import type { MovedContents } from '../emails/moved/moved-contents.ts';
import { retryEmail } from '../emails/retry.ts';
import { emailDetail } from '../emails/schema.ts';
import type { EmailService } from '../emails/service.ts';
import { type EmailRow, recipientsOf } from '../emails/store-read.ts';
import { streamOf, TRANSACTIONAL } from '../emails/stream.ts';
import { attemptsOfEmail } from '../events/attempts.ts';
import { eventsOfEmail } from '../events/read.ts';
import { outcomeReachOf, reachOf } from '../http/access.ts';
import type { ApiRoutes } from '../http/api-routes.ts';
import { dataOf } from '../http/envelope.ts';
import { holdsOn, type WaitingForHold } from '../interventions/holds/reason-to-wait.ts';
import type { LifetimeMs } from '../outbox/lifetime.ts';
import { type WaitingDelivery, waitingOf } from '../outbox/make-due.ts';
import { domainOf } from '../protocols/message/address.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Mode } from '../runtime/config.ts';
import type { SiteViews, WaitingFor, WaitingMail } from '../sites/site-view.ts';
import { findStream } from '../streams/store.ts';
import { isLimited, type Stream } from '../streams/stream.ts';
import { type Advise, explain } from './explain.ts';
import { explanation } from './schema.ts';
import { slowedAmong } from './slowed-repeats.ts';

export interface ExplainRouteDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly service: EmailService;
  readonly mode: Mode;
  readonly lifetimeMs: LifetimeMs;
  readonly moved: MovedContents;
  readonly advise: Advise;
  readonly board: Pick<SiteViews, 'waitingFor'>;
  /** Wakes the workers. */
  readonly wake: () => void;
}

const tags = ['Emails'];
const params = Type.Object({ id: Type.String() });
type App = Parameters<ApiRoutes>[0];

export function explainRoutes(deps: ExplainRouteDeps): ApiRoutes {
  return async (app) => {
    routeExplaining(app, deps);
    routeRetrying(app, deps);
  };
}

function routeExplaining(app: App, { db, clock, service, advise, board }: ExplainRouteDeps): void {
  app.get(
    '/emails/:id/explain',
    {
      config: { scope: 'agent', tied: true, errors: ['NOT_FOUND'] },
      schema: {
        tags,
        summary: 'Explain why an email did or did not arrive',
        description:
          'For each recipient, every attempt: what was said, what was decided by which rule, who can fix it and how.',
        params,
        response: { 200: dataOf(explanation) },
      },
    },
    async ({ principal, params: { id } }) => {
      const { organizationId } = principal;
      const email = await service.find(outcomeReachOf(principal), id);
      const [recipients, attempts, events, waiting] = await Promise.all([
        recipientsOf(db, organizationId, email.id),
        attemptsOfEmail(db, organizationId, email.id),
        eventsOfEmail(db, organizationId, email.id),
        waitingOf(db, organizationId, email.id),
      ]);
      const inLine = waiting.filter((one) => !one.claimed);
      const mail = inLine.map((one) => waitingMail(email, one));
      const held =
        mail.length === 0 ? [] : await board.waitingFor(db.of(organizationId), organizationId, mail);
      const waits = new Map(inLine.map(({ position }, i) => [position, held[i] as WaitingFor]));
      const nowMs = clock.nowMs();
      const due = inLine.filter(({ due_at }) => due_at.getTime() <= nowMs);
      const holdsOnDue = await holdsOn(
        db.of(organizationId),
        due.map((one) => holdableOf(principal.organizationId, email, one, waits)),
      );
      const holds = new Map(due.map(({ position }, i) => [position, holdsOnDue[i] ?? null]));
      const untried = inLine.filter(
        ({ position, hold_id }) => hold_id === null && !attempts.some((one) => one.position === position),
      );
      const slowed = await slowedAmong(db, organizationId, email, recipients, untried, nowMs);
      const limited = mail.length === 0 ? null : await limitedStream(db, organizationId, email);
      const found = { email, recipients, attempts, events, waiting, waits, holds, slowed, limited, nowMs };
      return { data: explain(found, advise) };
    },
  );
}

/** The stream of the email, if it has a limit. */
async function limitedStream(
  db: Database,
  organizationId: string,
  { tags }: EmailRow,
): Promise<Stream | null> {
  const name = streamOf(tags ?? []);
  const stream = name === TRANSACTIONAL ? undefined : await findStream(db, organizationId, name);
  return stream !== undefined && isLimited(stream) ? stream : null;
}

function waitingMail(
  { id, from_email, tags }: EmailRow,
  { position, domain, due_at }: WaitingDelivery,
): WaitingMail {
  const own = { stream: streamOf(tags ?? []), senderDomain: domainOf(from_email), tags: tags ?? [] };
  return { emailId: id, position, domain, dueAt: due_at, ...own };
}

function holdableOf(
  organizationId: string,
  { from_email, template_id, tags, api_key_id }: EmailRow,
  { position, hold_id }: WaitingDelivery,
  waits: ReadonlyMap<number, WaitingFor>,
): WaitingForHold {
  return {
    ...{ organizationId, holdId: hold_id, templateId: template_id, tags, keyId: api_key_id },
    fromDomain: domainOf(from_email),
    site: waits.get(position)?.destination ?? null,
  };
}

function routeRetrying(app: App, { service, clock, wake, ...deps }: ExplainRouteDeps): void {
  app.post(
    '/emails/:id/retry',
    {
      config: { tied: true, errors: ['NOT_FOUND', 'CONFLICT'] },
      schema: {
        tags,
        summary: 'Try again now',
        description:
          'Deferred recipients become due now, failed ones are queued again with a fresh lifetime. Bounced, suppressed, cancelled and withdrawn ones are not tried again, nor is sandbox mail in live mode.',
        params,
        response: { 200: dataOf(emailDetail) },
      },
    },
    async ({ principal, params: { id } }) => {
      const email = await service.find(reachOf(principal), id);
      await retryEmail(deps, principal.organizationId, email, clock.nowMs());
      wake();
      return { data: await service.get(reachOf(principal), id) };
    },
  );
}
