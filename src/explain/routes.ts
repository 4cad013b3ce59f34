/** Explains emails and requests retries. */
import { Type } from 'typebox';
import type { Database } from '../database/database.ts';
import type { MovedContents } from '../emails/moved/moved-contents.ts';
import { retryEmail } from '../emails/retry.ts';
import { emailDetail } from '../emails/schema.ts';
import type { EmailService } from '../emails/service.ts';
import { type EmailRow, recipientsOf } from '../emails/store-read.ts';
import { TRANSACTIONAL } from '../emails/stream.ts';
import { attemptsOfEmail } from '../events/attempts.ts';
import { eventsOfEmail } from '../events/read.ts';
import { outcomeReachOf, reachOf } from '../http/access.ts';
import type { ApiRoutes, App } from '../http/api-routes.ts';
import { bulkBody, forEachId, plainBulkResult } from '../http/bulk.ts';
import { dataOf } from '../http/envelope.ts';
import { holdsOn, type WaitingForHold } from '../interventions/holds/store.ts';
import type { LifetimeMs } from '../outbox/lifetime.ts';
import { type WaitingDelivery, waitingOf } from '../outbox/make-due.ts';
import { domainOf } from '../protocols/message/address.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Mode } from '../runtime/config.ts';
import type { SiteViews, WaitingFor, WaitingMail } from '../sites/site-view.ts';
import { findStream } from '../streams/store.ts';
import { isLimited, type Stream } from '../streams/stream.ts';
import { type Advise, explain, slowedAmong } from './explain.ts';
import { explanation } from './schema.ts';

interface ExplainRouteDeps {
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
export function explainRoutes(deps: ExplainRouteDeps): ApiRoutes {
  return async (app) => {
    routeExplaining(app, deps);
    routeRetrying(app, deps);
    routeRetryingSeveral(app, deps);
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
          'Returns every attempt for each recipient: the SMTP conversation, the decision and its rule, and who can fix the problem and how.',
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

async function limitedStream(
  db: Database,
  organizationId: string,
  { stream: name }: EmailRow,
): Promise<Stream | null> {
  const stream = name === null ? undefined : await findStream(db, organizationId, name);
  return stream !== undefined && isLimited(stream) ? stream : null;
}

function waitingMail(
  { id, from_email, stream, tags }: EmailRow,
  { position, domain, due_at }: WaitingDelivery,
): WaitingMail {
  const senderDomain = domainOf(from_email);
  const own = { stream: stream ?? TRANSACTIONAL, senderDomain, tags: tags ?? [] };
  return { emailId: id, position, domain, dueAt: due_at, ...own };
}

function holdableOf(
  organizationId: string,
  { from_email, template_id, tags, stream, api_key_id }: EmailRow,
  { position, hold_id }: WaitingDelivery,
  waits: ReadonlyMap<number, WaitingFor>,
): WaitingForHold {
  return {
    ...{ organizationId, holdId: hold_id, templateId: template_id, tags, stream, keyId: api_key_id },
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
        summary: 'Retry an email now',
        description:
          'Deferred recipients become due now. Failed recipients are queued again with a new lifetime. Bounced, suppressed, cancelled and withdrawn recipients are not tried again. Sandbox mail is not tried again in live mode.',
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

function routeRetryingSeveral(app: App, { service, clock, wake, ...deps }: ExplainRouteDeps): void {
  app.post(
    '/emails/retry',
    {
      config: { tied: true },
      schema: {
        tags,
        summary: 'Retry several emails now',
        description:
          'Retries each email as `POST /emails/{id}/retry` does. An email without deferred or failed recipients has an `error`, and does not affect the others.',
        body: bulkBody('RetryEmails', 'Ids of the emails.', '01a1dd1c-a292-7088-82d5-cb934f4f4126'),
        response: { 200: dataOf(plainBulkResult) },
      },
    },
    async (request) => {
      const { principal, body } = request;
      const data = await forEachId(request, body.ids, {}, async (id) => {
        const email = await service.find(reachOf(principal), id);
        await retryEmail(deps, principal.organizationId, email, clock.nowMs());
        return { fields: {} };
      });
      if (data.succeeded > 0) wake();
      return { data };
    },
  );
}
