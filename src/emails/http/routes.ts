/** Routes that send email and report its status. */
import { Type } from 'typebox';
import { checkOwnKey } from '../../accounts/api-keys/own-key.ts';
import type { Sql } from '../../database/sql.ts';
import { dryBatchResult, dryRunResult, sendQuery } from '../../dry-run/schema.ts';
import { outcomeReachOf, reachOf } from '../../http/access.ts';
import type { ApiRoutes, App } from '../../http/api-routes.ts';
import { dataOf, pageOf } from '../../http/envelope.ts';
import { LongTexts } from '../../http/long-texts.ts';
import { paginated } from '../../http/pagination.ts';
import { asFile, rawMessageResponse } from '../../http/raw-message.ts';
import { notePartialRefusal } from '../../http/refused-requests.ts';
import type { Clock } from '../../runtime/clock.ts';
import {
  answerIdempotently,
  honourIdempotencyKey,
  idempotencyHeaders,
} from '../../submission/idempotency/key-header.ts';
import { type SubmissionDeps, submit } from '../../submission/submit.ts';
import { type BatchAccepted, submitBatch } from '../../submission/submit-batch.ts';
import type { TemplateService } from '../../templates/service.ts';
import { emailsQuery, toFilter } from '../lists/list-schema.ts';
import {
  emailAttachment,
  emailContent,
  emailDetail,
  emailItem,
  rescheduleBody,
  sendBody,
  sendResult,
} from '../schema.ts';
import type { EmailService } from '../service.ts';
import { addressedItemView, itemView } from '../view.ts';
import { batchBody, batchResult, batchStatus } from './batch-schema.ts';
import { answerDryBatch, answerDrySend, type DryRunDeps } from './dry-run-answer.ts';
import { refusalError, SENDING_ERRORS, someRecipientsRefused } from './refusal-errors.ts';
import { filesOf, senderOf, toBatchDraft, toDraft } from './send-request.ts';
import { batchAnswer, sentAnswer } from './sent-answer.ts';
import { routeTemplateTests } from './template-test-routes.ts';

const tags = ['Emails'];
const idParams = Type.Object({ id: Type.String() });
const attachmentParams = Type.Object({ id: Type.String(), number: Type.String() });

interface EmailRouteDeps {
  readonly service: EmailService;
  readonly submission: SubmissionDeps;
  readonly dryRun: DryRunDeps;
  readonly templates: Pick<TemplateService, 'preview'>;
  readonly db: Sql;
  readonly clock: Clock;
}

export function emailRoutes(deps: EmailRouteDeps): ApiRoutes {
  const { service, clock } = deps;
  return async (app) => {
    routeSending(app, deps);
    routeBatches(app, deps);
    routeBatchStatus(app, service);
    routeTemplateTests(app, deps);
    routeReading(app, deps);
    routeContent(app, service);
    routeChanging(app, service, clock);
  };
}

function routeSending(app: App, { submission, dryRun, db, clock }: EmailRouteDeps): void {
  app.post(
    '/emails/send',
    {
      attachValidation: true,
      preValidation: honourIdempotencyKey(db),
      config: { scope: 'send', tied: true, hasDryRun: true, errors: [...SENDING_ERRORS] },
      schema: {
        tags,
        summary: 'Send an email',
        description:
          'The response is sent when the email is stored on disk. The email is delivered at once, or at `scheduled_at`.',
        headers: idempotencyHeaders,
        querystring: sendQuery,
        body: sendBody(clock),
        response: { 200: dataOf(dryRunResult), 201: dataOf(sendResult) },
      },
    },
    async (request, reply) =>
      answerIdempotently(db, request, reply, async (run) => {
        const draft = toDraft(request.body, await filesOf(request.body));
        const sender = senderOf(request);
        if (request.query.dry_run) return answerDrySend(dryRun, request, (dry) => submit(dry, sender, draft));
        const keyed = run && { run, answer: sentAnswer };
        const result = await submit(submission, sender, draft, keyed);
        if (result.kind !== 'accepted') throw refusalError(result);
        return sentAnswer(result);
      }),
  );
}

function routeBatches(app: App, { submission, dryRun, db, clock }: EmailRouteDeps): void {
  app.post(
    '/emails/batch',
    {
      attachValidation: true,
      preValidation: honourIdempotencyKey(db),
      config: { scope: 'send', tied: true, hasDryRun: true, errors: [...SENDING_ERRORS] },
      schema: {
        tags,
        summary: 'Send one template to many recipients',
        description:
          'The accepted emails are stored in one transaction. Recipients that cannot be accepted are listed in `rejected`.',
        headers: idempotencyHeaders,
        querystring: sendQuery,
        body: batchBody(clock),
        response: { 200: dataOf(dryBatchResult), 201: dataOf(batchResult) },
      },
    },
    async (request, reply) =>
      answerIdempotently(db, request, reply, async (run) => {
        const batch = await toBatchDraft(request.body, await filesOf(request.body));
        const answer = (accepted: BatchAccepted) => batchAnswer(batch, accepted);
        const sender = senderOf(request);
        if (request.query.dry_run)
          return answerDryBatch(
            ...([dryRun, request, batch] as const),
            (dry) => submitBatch(dry, sender, batch.draft),
            (accepted) => answer(accepted).body.data.rejected,
          );
        const keyed = run && { run, answer };
        const result = await submitBatch(submission, sender, batch.draft, keyed);
        if (result.kind !== 'accepted') throw refusalError(result, batch.places);
        const answered = answer(result);
        const refused = answered.body.data.rejected.map(({ index }) => request.body.recipients[index]);
        notePartialRefusal(request, someRecipientsRefused(batch, result), {
          ...request.body,
          recipients: refused,
        });
        return answered;
      }),
  );
}

function routeBatchStatus(app: App, service: EmailService): void {
  app.get(
    '/emails/batch/:batch_id',
    {
      config: { scope: 'send', tied: true, errors: ['NOT_FOUND'] },
      schema: {
        tags,
        summary: 'Count the emails of a batch by status',
        params: Type.Object({ batch_id: Type.String() }),
        response: { 200: dataOf(batchStatus) },
      },
    },
    async ({ principal, params }) => ({
      data: await service.batch(outcomeReachOf(principal), params.batch_id),
    }),
  );
}

function routeReading(app: App, { service, db }: EmailRouteDeps): void {
  app.get(
    '/emails',
    {
      config: {
        scope: 'agent',
        tied: true,
        insteadOf: { POST: 'To send an email, use POST /emails/send.' },
      },
      schema: {
        tags,
        summary: 'List emails',
        description:
          'Lists the newest emails first. A key of scope `agent` only sees the emails that it sent, unless its policy has `read: organization`.',
        querystring: emailsQuery,
        response: { 200: pageOf(emailItem) },
      },
    },
    async ({ principal, query }) => {
      await checkOwnKey(db, principal.organizationId, 'api_key_id', query.api_key_id);
      const { rows, total } = await service.list(outcomeReachOf(principal), toFilter(query), query);
      const view = query.include === 'addresses' ? addressedItemView : itemView;
      return paginated(rows.map(view), { ...query, total });
    },
  );

  app.get(
    '/emails/:id',
    {
      config: { scope: 'send', tied: true, errors: ['NOT_FOUND'] },
      schema: {
        tags,
        summary: 'Get an email and its events',
        params: idParams,
        response: { 200: dataOf(emailDetail) },
      },
    },
    async ({ principal, params }) => ({ data: await service.get(outcomeReachOf(principal), params.id) }),
  );
}

function routeContent(app: App, service: EmailService): void {
  app.get(
    '/emails/:id/content',
    {
      config: { confidential: true, tied: true, errors: ['NOT_FOUND', 'CONFLICT'] },
      schema: {
        tags,
        summary: 'Get the content of an email',
        params: idParams,
        response: { 200: dataOf(emailContent) },
      },
    },
    async ({ principal, params }, reply) => {
      const content = await service.content(reachOf(principal), params.id);
      const texts = new LongTexts();
      const html = content.html && texts.put(content.html);
      const text = content.text && texts.put(content.text);
      return texts.answer(reply, { data: { ...content, html, text } });
    },
  );

  app.get(
    '/emails/:id/attachments/:number',
    {
      config: { confidential: true, tied: true, errors: ['NOT_FOUND'] },
      schema: {
        tags,
        summary: 'Get one attachment of an email',
        description: '`number` is the position in `attachments` of the content, from 0.',
        params: attachmentParams,
        response: { 200: dataOf(emailAttachment) },
      },
    },
    async ({ principal, params: { id, number } }) => {
      const { content, ...file } = await service.attachment(reachOf(principal), id, number);
      return { data: { ...file, size: content.length, content: content.toString('base64') } };
    },
  );

  app.get(
    '/emails/:id/raw',
    {
      config: { confidential: true, tied: true, errors: ['NOT_FOUND'] },
      schema: {
        tags,
        summary: 'Get the source of an email that was submitted as a complete message',
        params: idParams,
        response: {
          200: rawMessageResponse,
        },
      },
    },
    async ({ principal, params }, reply) =>
      asFile(reply, params.id, await service.raw(reachOf(principal), params.id)),
  );
}

function routeChanging(app: App, service: EmailService, clock: Clock): void {
  app.post(
    '/emails/:id/cancel',
    {
      config: { tied: true, errors: ['NOT_FOUND', 'CONFLICT'], audit: { action: 'email.cancelled' } },
      schema: {
        tags,
        summary: 'Cancel a scheduled email',
        params: idParams,
        response: { 200: dataOf(emailDetail) },
      },
    },
    async ({ principal, params }) => ({ data: await service.cancel(reachOf(principal), params.id) }),
  );

  app.patch(
    '/emails/:id',
    {
      config: {
        tied: true,
        errors: ['NOT_FOUND', 'CONFLICT'],
        audit: { action: 'email.rescheduled', show: ['scheduled_at'] },
      },
      schema: {
        tags,
        summary: 'Reschedule a scheduled email',
        params: idParams,
        body: rescheduleBody(clock),
        response: { 200: dataOf(emailDetail) },
      },
    },
    async ({ principal, params, body }) => ({
      data: await service.reschedule(reachOf(principal), params.id, body.scheduled_at),
    }),
  );
}
