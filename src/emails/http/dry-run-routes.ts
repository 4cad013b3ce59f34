/**
 * Dry runs report the result of a send without sending. They are operations of their own, so that a client generated from the
 * OpenAPI document has one answer type for each. `?dry_run=true` on the send itself answers the same.
 */

import { dryBatchResult, dryMixedResult, dryRunQuery, dryRunResult } from '../../dry-run/schema.ts';
import type { ApiRoutes, App } from '../../http/api-routes.ts';
import { dataOf } from '../../http/envelope.ts';
import type { Clock } from '../../runtime/clock.ts';
import { submit } from '../../submission/submit.ts';
import { submitBatch } from '../../submission/submit-batch.ts';
import { submitMany } from '../../submission/submit-many.ts';
import { sendBody } from '../schema.ts';
import { batchBody, mixedBody } from './batch-schema.ts';
import { answerDryBatch, answerDryMixed, answerDrySend, type DryRunDeps } from './dry-run-answer.ts';
import { readEmails } from './mixed-routes.ts';
import { createDraftOf, filesOf, senderOf, toBatchDraft, toDraft } from './send-request.ts';
import { batchAnswer } from './sent-answer.ts';

interface DryRunRouteDeps {
  readonly dryRun: DryRunDeps;
  readonly clock: Clock;
}

const shared = {
  tags: ['Emails'],
  description: 'Nothing is sent, stored or counted. If the send would be refused, `refusal` has its error.',
  querystring: dryRunQuery,
};

export function dryRunRoutes({ dryRun, clock }: DryRunRouteDeps): ApiRoutes {
  return async (app) => {
    routeDrySend(app, dryRun, clock);
    routeDryBatch(app, dryRun, clock);
    routeDryMixed(app, dryRun, clock);
  };
}

function routeDrySend(app: App, dryRun: DryRunDeps, clock: Clock): void {
  app.post(
    '/emails/send/dry-run',
    {
      config: { scope: 'send', tied: true },
      schema: {
        ...shared,
        summary: 'Preview the result of a send',
        body: sendBody(clock),
        response: { 200: dataOf(dryRunResult) },
      },
    },
    async (request) => {
      const draft = toDraft(request.body, await filesOf(request.body));
      const sender = senderOf(request);
      return (await answerDrySend(dryRun, request, (dry) => submit(dry, sender, draft))).body;
    },
  );
}

function routeDryBatch(app: App, dryRun: DryRunDeps, clock: Clock): void {
  app.post(
    '/emails/batch/dry-run',
    {
      config: { scope: 'send', tied: true },
      schema: {
        ...shared,
        summary: 'Preview the result of a batch',
        body: batchBody(clock),
        response: { 200: dataOf(dryBatchResult) },
      },
    },
    async (request) => {
      const batch = await toBatchDraft(request.body, await filesOf(request.body));
      const sender = senderOf(request);
      const told = await answerDryBatch(
        ...([dryRun, request, batch] as const),
        (dry) => submitBatch(dry, sender, batch.draft),
        (accepted) => batchAnswer(batch, accepted).body.data.rejected,
      );
      return told.body;
    },
  );
}

function routeDryMixed(app: App, dryRun: DryRunDeps, clock: Clock): void {
  const draftOf = createDraftOf(clock);
  app.post(
    '/emails/batch/mixed/dry-run',
    {
      config: { scope: 'send', tied: true },
      schema: {
        ...shared,
        summary: 'Preview the results of several different emails',
        body: mixedBody(clock),
        response: { 200: dataOf(dryMixedResult) },
      },
    },
    async (request) => {
      const mixed = await readEmails(draftOf, request.body.emails);
      const sender = senderOf(request);
      const told = await answerDryMixed(dryRun, request, mixed, (dry) =>
        submitMany(dry, sender, mixed.drafts, { allOrNone: request.body.all_or_none ?? false }),
      );
      return told.body;
    },
  );
}
