/** Explains emails and requests retries. */
import { Type } from 'typebox';
import type { Database } from '../database/database.ts';
import type { MovedContents } from '../emails/moved/moved-contents.ts';
import { retryEmail } from '../emails/retry.ts';
import { emailDetail, tlsCertificate } from '../emails/schema.ts';
import type { EmailService } from '../emails/service.ts';
import { RECIPIENT_STATES, STATUSES } from '../emails/status.ts';
import { type EmailRow, recipientsOf } from '../emails/store-read.ts';
import { TRANSACTIONAL } from '../emails/stream.ts';
import { ATTEMPT_OUTCOMES, attemptsOfEmail } from '../events/attempts.ts';
import { eventsOfEmail } from '../events/read.ts';
import { outcomeReachOf, reachOf } from '../http/access.ts';
import type { ApiRoutes, App } from '../http/api-routes.ts';
import { dataOf } from '../http/envelope.ts';
import { nullable, stringEnum, timestamp } from '../http/schema.ts';
import { HOLD_SCOPES } from '../interventions/holds/hold.ts';
import { holdsOn, type WaitingForHold } from '../interventions/holds/store.ts';
import type { LifetimeMs } from '../outbox/lifetime.ts';
import { type WaitingDelivery, waitingOf } from '../outbox/make-due.ts';
import { domainOf } from '../protocols/message/address.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Mode } from '../runtime/config.ts';
import { siteView } from '../sites/routes.ts';
import type { SiteViews, WaitingFor, WaitingMail } from '../sites/site-view.ts';
import { findStream } from '../streams/store.ts';
import { isLimited, type Stream } from '../streams/stream.ts';
import { type Advise, explain, RESPONSIBLE, slowedAmong } from './explain.ts';

const responsible = stringEnum(RESPONSIBLE, {
  description: 'Who can fix the problem.',
});

const route = Type.Object(
  {
    transport: Type.String({
      description:
        'Name of the transport. `default` is the transport that the environment variables configure.',
    }),
    kind: stringEnum(['direct', 'relay', 'default']),
    source: nullable(
      Type.String({
        description: 'IP address that the mail was sent from. Null if the route did not choose one.',
      }),
    ),
    rule: nullable(
      Type.Integer({
        description: 'Number of the rule in the route table at that time, from 1. Null if no rule matched.',
      }),
    ),
    step: Type.Integer({
      description: 'Number of the step in the rule, from 1. 0 is the new transport of a canary.',
    }),
    why: Type.String(),
    canary: Type.Optional(
      Type.Object(
        {
          name: Type.String(),
          way: stringEnum(['old', 'new'], {
            description: '`new`: the email used the new transport. `old`: it used the route of the rule.',
          }),
          percent: Type.Number({
            description: 'Percentage of this mail that used the new transport at that time.',
          }),
          instead: Type.Optional(
            Type.Boolean({
              description:
                'True if the email was selected for the new transport, but that transport was unavailable or failed.',
            }),
          ),
        },
        {
          description:
            'Canary that moves this mail from one transport to another. Present only if there was one at that time.',
        },
      ),
    ),
    message: Type.String({ description: 'Explanation in words.' }),
  },
  { $id: 'RouteTaken' },
);

const attempt = Type.Object(
  {
    kind: stringEnum(['attempt', 'report'], {
      description:
        '`attempt`: an attempt to deliver. `report`: a bounce or complaint that arrived by mail after a server had accepted the message.',
    }),
    attempt: nullable(
      Type.Integer({
        description:
          'Number of the attempt, from 1. Counting restarts at 1 when failed mail is retried. Null for reports.',
      }),
    ),
    created_at: timestamp({ description: 'Time at which the attempt ended or the report arrived.' }),
    duration_ms: nullable(
      Type.Integer({ description: 'Duration of the attempt in milliseconds. Null for reports.' }),
    ),
    reported_by: nullable(
      Type.String({ description: 'Server that wrote the report, as the report states. Null for attempts.' }),
    ),
    outcome: stringEnum(ATTEMPT_OUTCOMES),
    reason: nullable(
      Type.String({ description: 'Reason code of the outcome, from a closed list. Null if there is none.' }),
    ),
    rule: nullable(
      Type.String({ description: 'Name of the rule that decided the outcome. Null if there is none.' }),
    ),
    responsible: nullable(responsible),
    mx_host: nullable(Type.String()),
    tls: nullable(Type.String()),
    tls_certificate: tlsCertificate,
    detail: nullable(
      Type.String({
        description: 'Reply of the server, or a description of the problem if no server replied.',
      }),
    ),
    conversation: Type.Array(Type.String(), {
      description:
        'Lines of the SMTP conversation: sent (`>`), received (`<`) and other events (`-`). Shortened, and without the content of the message.',
    }),
    next_attempt_at: nullable(timestamp()),
    route: nullable(route),
  },
  { $id: 'Attempt' },
);

const problem = Type.Object(
  {
    reason: Type.String(),
    meaning: Type.String({ description: 'What the reason code means.' }),
    responsible,
    advice: Type.String({ description: 'How to fix the problem.' }),
  },
  { $id: 'Problem' },
);

const waitingFor = Type.Object(
  {
    site: nullable(
      Type.Object(siteView, {
        description:
          'Site that the mail goes to. Null until a worker has looked up the mail hosts of the domain.',
      }),
    ),
    message: Type.String({ description: 'Explanation in words.' }),
    worker_running: Type.Boolean(),
    expected_at: nullable(
      timestamp({
        description:
          'Expected time of the next attempt. At a slow site it can be later. Null if it is not known.',
      }),
    ),
  },
  {
    $id: 'WaitingFor',
    description: 'Why the delivery is waiting: the state of its site, or its place in the queue.',
  },
);

const heldBy = Type.Object(
  {
    id: Type.String(),
    scope: stringEnum(HOLD_SCOPES),
    value: nullable(Type.String()),
    reason: Type.String(),
    by_operator: Type.Boolean(),
    since: timestamp({ description: 'Time at which the hold was placed.' }),
  },
  { $id: 'HeldBy', description: 'Hold that keeps the mail from being sent.' },
);

/** Schemas of explanations. */
const explanation = Type.Object(
  {
    id: Type.String(),
    status: stringEnum(STATUSES),
    require_tls: Type.Boolean({
      description: 'Whether the email is sent only over TLS to verified servers that support REQUIRETLS.',
    }),
    recipients: Type.Array(
      Type.Object({
        email: Type.String(),
        status: stringEnum(RECIPIENT_STATES),
        problem: nullable(problem),
        next_attempt_at: nullable(
          timestamp({
            description:
              'Time of the next attempt. If the mail waits for its site, the expected time. Null if it is not known.',
          }),
        ),
        wait: nullable(waitingFor),
        hold: nullable(heldBy),
        in_progress: Type.Boolean(),
        attempts: Type.Array(attempt),
      }),
    ),
  },
  { $id: 'Explanation' },
);

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
