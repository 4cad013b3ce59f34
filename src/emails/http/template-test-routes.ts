/** Sends a template to one address, for a look in an inbox. */
import { Type } from 'typebox';
import { dryRunQuery, dryRunResult, sendQuery } from '../../dry-run/schema.ts';
import type { App } from '../../http/api-routes.ts';
import { dataOf } from '../../http/envelope.ts';
import { subjectProblem } from '../../protocols/message/subject.ts';
import { type HeaderText, oneLine } from '../../protocols/message/unsafe-text.ts';
import { Problems } from '../../runtime/problems.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import type { Draft } from '../../submission/draft.ts';
import { type SubmissionDeps, submit } from '../../submission/submit.ts';
import type { TemplateService } from '../../templates/service.ts';
import { sendResult, type TemplateTestBody, templateTestBody } from '../schema.ts';
import { answerDrySend, type DryRunDeps } from './dry-run-answer.ts';
import { refusalError, SENDING_ERRORS } from './refusal-errors.ts';
import { senderOf, toTestDraft } from './send-request.ts';
import { sentAnswer } from './sent-answer.ts';

interface TemplateTestDeps {
  readonly templates: Pick<TemplateService, 'preview'>;
  readonly submission: SubmissionDeps;
  readonly dryRun: DryRunDeps;
}

export function routeTemplateTests(app: App, deps: TemplateTestDeps): void {
  routeTest(app, deps);
  routeDryTest(app, deps);
}

const params = Type.Object({ id: Type.String({ description: 'Id or alias of the template.' }) });

function routeTest(app: App, { submission, dryRun, templates }: TemplateTestDeps): void {
  app.post(
    '/templates/:id/test',
    {
      config: { tied: true, hasDryRun: true, errors: [...SENDING_ERRORS] },
      schema: {
        tags: ['Templates'],
        summary: 'Send a test of a template to one address',
        params,
        querystring: sendQuery,
        body: templateTestBody,
        response: { 200: dataOf(dryRunResult), 201: dataOf(sendResult) },
      },
    },
    async (request, reply) => {
      const draft = await testDraft(
        templates,
        request.principal.organizationId,
        request.params.id,
        request.body,
      );
      const sender = senderOf(request);
      if (request.query.dry_run) {
        const { body } = await answerDrySend(dryRun, request, (dry) => submit(dry, sender, draft));
        return reply.send(body);
      }
      const result = known(await submit(submission, sender, draft));
      if (result.kind !== 'accepted') throw refusalError(result);
      return reply.code(201).send(sentAnswer(result).body);
    },
  );
}

function routeDryTest(app: App, { dryRun, templates }: TemplateTestDeps): void {
  app.post(
    '/templates/:id/test/dry-run',
    {
      config: { tied: true, errors: ['NOT_FOUND'] },
      schema: {
        tags: ['Templates'],
        summary: 'Preview the result of a template test',
        description:
          'Nothing is sent, stored or counted. If the send would be refused, `refusal` has its error.',
        params,
        querystring: dryRunQuery,
        body: templateTestBody,
        response: { 200: dataOf(dryRunResult) },
      },
    },
    async (request) => {
      const { principal, params: of, body } = request;
      const draft = await testDraft(templates, principal.organizationId, of.id, body);
      const sender = senderOf(request);
      const submitted = async (dry: SubmissionDeps) => known(await submit(dry, sender, draft));
      return (await answerDrySend(dryRun, request, submitted)).body;
    },
  );
}

/** The path names the template, so a missing template is a 404, not an invalid field. */
function known<Result extends { readonly kind: string }>(result: Result): Result {
  if (result.kind === 'template_not_found')
    throw new ServiceError(
      'NOT_FOUND',
      'No active template has this id or alias. GET /templates lists the templates.',
    );
  return result;
}

/** Mail cannot refer to a draft as a version, so the content is sent as rendered now. */
async function testDraft(
  templates: TemplateTestDeps['templates'],
  organizationId: string,
  id: string,
  body: TemplateTestBody,
): Promise<Draft> {
  const draft = toTestDraft(id, body);
  if (!body.draft) return draft;
  const { data = {}, locale } = body;
  const shown = await templates.preview(organizationId, id, { draft: true, data, ...(locale && { locale }) });
  const subject = subjectOf(shown.subject);
  return {
    ...draft,
    content: { kind: 'inline', subject, html: shown.html || null, text: shown.text || null },
  };
}

function subjectOf(text: string): HeaderText {
  const problem = subjectProblem(text);
  if (problem !== null) throw new Problems().add('data', `makes a subject that ${problem}`).toError();
  return oneLine(text);
}
