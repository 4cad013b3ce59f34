/** Answers a send that asks for a dry run: what would become of each email. */

import type { FastifyRequest } from 'fastify';
import { type EmailForecast, type ForecastDeps, forecastEmails } from '../../dry-run/forecast.ts';
import {
  forecastView,
  messageForecastView,
  type RefusalView,
  recipientForecastView,
} from '../../dry-run/schema.ts';
import { apiErrorOf } from '../../http/errors.ts';
import type { LinkChecks } from '../../message-checks/check-links.ts';
import type { Refused } from '../../submission/refused.ts';
import type { Accepted, SubmissionDeps } from '../../submission/submit.ts';
import type { BatchAccepted } from '../../submission/submit-batch.ts';
import type { ManyAccepted } from '../../submission/submit-many.ts';
import { refusalError } from './refusal-errors.ts';
import type { BatchRequest } from './send-request.ts';

export interface DryRunDeps {
  readonly forecast: ForecastDeps;
  readonly links: Pick<LinkChecks, 'check'>;
}

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

type Asks = Pick<FastifyRequest, 'principal'> & { readonly query: { readonly check_links: boolean } };
