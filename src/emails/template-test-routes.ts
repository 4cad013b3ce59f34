/** Sending a template to one address, to see it in an inbox. */
import { Type } from 'typebox';
import { answerDrySend, type DryRunDeps } from '../dry-run/dry-run-answer.ts';
import { dryRunResult, sendQuery } from '../dry-run/schema.ts';
import type { ApiRoutes } from '../kit/http/api-routes.ts';
import { dataOf } from '../kit/http/envelope.ts';
import { type SubmissionDeps, submit } from '../submission/submit.ts';
import { sendResult, templateTestBody } from './schema.ts';
import { refusalError, SENDING_ERRORS, sentAnswer } from './send-answer.ts';
import { senderOf, toTestDraft } from './send-request.ts';

type App = Parameters<ApiRoutes>[0];

export interface TemplateTestDeps {
  readonly submission: SubmissionDeps;
  readonly dryRun: DryRunDeps;
}

export function routeTemplateTests(app: App, { submission, dryRun }: TemplateTestDeps): void {
  app.post(
    '/templates/:id/test',
    {
      config: { tied: true, errors: [...SENDING_ERRORS] },
      schema: {
        tags: ['Templates'],
        summary: 'Send a template to one address, to see it in an inbox',
        params: Type.Object({ id: Type.String({ description: 'Its id or its alias.' }) }),
        querystring: sendQuery,
        body: templateTestBody,
        response: { 200: dataOf(dryRunResult), 201: dataOf(sendResult) },
      },
    },
    async (request, reply) => {
      const draft = toTestDraft(request.params.id, request.body);
      const sender = senderOf(request);
      if (request.query.dry_run) {
        const { body } = await answerDrySend(dryRun, request, (dry) => submit(dry, sender, draft));
        return reply.send(body);
      }
      const result = await submit(submission, sender, draft);
      if (result.kind !== 'accepted') throw refusalError(result);
      return reply.code(201).send(sentAnswer(result).body);
    },
  );
}
