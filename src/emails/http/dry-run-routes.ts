/**
 * Dry runs report the result of a send without sending. They are operations of their own, so that a client generated from the
 * OpenAPI document has one answer type for each. `?dry_run=true` on the send itself answers the same.
 */

import type { FastifyRequest } from 'fastify';
import { type EmailForecast, type ForecastDeps, forecastEmails } from '../../dry-run/forecast.ts';
import {
  dryBatchResult,
  dryMixedResult,
  dryRunQuery,
  dryRunResult,
  forecastView,
  messageForecastView,
  type RefusalView,
  recipientForecastView,
} from '../../dry-run/schema.ts';
import type { ApiRoutes, App } from '../../http/api-routes.ts';
import { dataOf } from '../../http/envelope.ts';
import { apiErrorOf } from '../../http/errors.ts';
import type { LinkChecks } from '../../message-checks/check-links.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Refused } from '../../submission/refused.ts';
import { type Accepted, type SubmissionDeps, submit } from '../../submission/submit.ts';
import { type BatchAccepted, submitBatch } from '../../submission/submit-batch.ts';
import { type ManyAccepted, submitMany } from '../../submission/submit-many.ts';
import { sendBody } from '../schema.ts';
import { batchBody } from './batch-schema.ts';
import { mixedBody, readEmails } from './mixed-routes.ts';
import { batchAnswer, refusalError } from './send-answer.ts';
import {
  type BatchRequest,
  createDraftOf,
  filesOf,
  senderOf,
  toBatchDraft,
  toDraft,
} from './send-request.ts';

interface DryRunRouteDeps {
  readonly dryRun: DryRunDeps;
  readonly clock: Clock;
}

const shared = {
  tags: ['Emails'],
  description: 'Nothing is sent, stored or counted. What the send would be refused with is in `refusal`.',
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
        summary: 'Say what would become of an email',
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
        summary: 'Say what would become of a batch',
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
        summary: 'Say what would become of several different emails',
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

export interface DryRunDeps {
  readonly forecast: ForecastDeps;
  readonly links: Pick<LinkChecks, 'check'>;
}

type Asks = Pick<FastifyRequest, 'principal'> & { readonly query: { readonly check_links: boolean } };

export async function answerDrySend(
  deps: DryRunDeps,
  request: Asks,
  submit: (submission: SubmissionDeps) => Promise<Accepted | Refused>,
) {
  const { outcome, forecasts } = await forecastEmails(deps.forecast, { messages: 1 }, submit);
  const [forecast] = await withLinks(deps, request, forecasts);
  const refusal = outcome.kind === 'accepted' ? null : refusalView(outcome);
  return answer({ dry_run: true as const, accepted: refusal === null, ...forecastView(forecast, refusal) });
}

/** Every recipient would get a message of their own; the first recipient's stands for all. */
export async function answerDryBatch(
  deps: DryRunDeps,
  request: Asks,
  { draft, places, unusable }: BatchRequest,
  submit: (submission: SubmissionDeps) => Promise<BatchAccepted | Refused>,
  rejectedOf: (outcome: BatchAccepted) => readonly { readonly index: number; readonly error: string }[],
) {
  const { outcome, forecasts } = await forecastEmails(deps.forecast, { messages: 1 }, submit);
  const [first] = await withLinks(deps, request, forecasts);
  const isAccepted = outcome.kind === 'accepted';
  return answer({
    dry_run: true as const,
    total: draft.recipients.length + unusable.length,
    accepted: isAccepted ? outcome.accepted : 0,
    rejected: isAccepted ? [...rejectedOf(outcome)] : [],
    refusal: isAccepted ? null : refusalView(outcome, places),
    message: first?.message ? messageForecastView(first.message) : null,
    recipients: forecasts.flatMap(({ recipients }) => recipients.map(recipientForecastView)),
  });
}

export async function answerDryMixed(
  deps: DryRunDeps,
  request: Asks,
  mixed: { readonly places: readonly number[]; readonly wrong: readonly WrongEmail[] },
  submit: (submission: SubmissionDeps) => Promise<ManyAccepted | Refused>,
) {
  const messages = mixed.places.length;
  const { outcome, forecasts } = await forecastEmails(deps.forecast, { messages }, submit);
  const told = new Map((await withLinks(deps, request, forecasts)).map((one) => [one.id, one]));
  const results = outcome.kind === 'accepted' ? outcome.results : [];
  const judged = results.map((result, place) => {
    const isAccepted = result.kind === 'accepted';
    const forecast = isAccepted ? told.get(result.id) : undefined;
    const view = forecastView(forecast, isAccepted ? null : refusalView(result));
    return { index: mixed.places[place] as number, accepted: isAccepted, ...view };
  });
  const wrong = mixed.wrong.map(({ index, error }) => ({
    ...{ index, accepted: false, ...forecastView(undefined, errorView(error)) },
  }));
  return answer({
    dry_run: true as const,
    total: mixed.places.length + wrong.length,
    accepted: judged.filter(({ accepted }) => accepted).length,
    refusal: outcome.kind === 'accepted' ? null : refusalView(outcome),
    results: [...judged, ...wrong].sort((one, other) => one.index - other.index),
  });
}

interface WrongEmail {
  readonly index: number;
  readonly error: Parameters<typeof apiErrorOf>[0];
}

function answer<Data>(data: Data) {
  return { status: 200, body: { data } };
}

function refusalView(refused: Refused, places?: readonly number[]): RefusalView {
  return errorView(refusalError(refused, places));
}

function errorView(error: WrongEmail['error']): RefusalView {
  const { statusCode: status, code, message, details } = apiErrorOf(error);
  return { status, code, message, details: [...details] };
}

/** Adds broken links to the findings. Checks only the first message, because each check requests another site. */
async function withLinks(
  { links }: DryRunDeps,
  { principal, query }: Asks,
  forecasts: readonly EmailForecast[],
): Promise<readonly EmailForecast[]> {
  const [first, ...rest] = forecasts;
  if (!query.check_links || !first?.message) return forecasts;
  const checked = await links.check(principal.organizationId, first.message.links);
  const broken = checked.flatMap(({ url, error }) =>
    error === null
      ? []
      : [{ kind: 'link_broken', severity: 'warning' as const, message: `${url}: ${error}` }],
  );
  const message = { ...first.message, findings: [...first.message.findings, ...broken] };
  return [{ ...first, message }, ...rest];
}
