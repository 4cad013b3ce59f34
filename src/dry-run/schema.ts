import { Type } from 'typebox';
import { nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { FINDING_SEVERITIES } from '../message-checks/check-content.ts';
import { AUTHENTICATION_RESULTS } from '../sandbox/authentication.ts';
import { VALIDATION_VERDICTS } from '../validation/score.ts';
import type { EmailForecast, RecipientForecast } from './forecast.ts';
import type { MessageForecast } from './message-forecast.ts';
import { EXPECTED_OUTCOMES } from './recipient-outcome.ts';

const checkLinks = Type.Boolean({
  default: false,
  description:
    'Whether to request the links of the message too, to find broken links. This takes several seconds.',
});

export const dryRunQuery = strictObject({ check_links: checkLinks });

/** The query of sends. Strict, because a misspelt `dry_run` must not send mail. */
export const sendQuery = strictObject({ dry_run: Type.Boolean({ default: false }), check_links: checkLinks });

const problem = Type.Object({ field: Type.String(), message: Type.String() });

const refusal = nullable(
  Type.Object(
    {
      status: Type.Integer({ description: 'HTTP status of the response that the send would get.' }),
      code: Type.String(),
      message: Type.String(),
      details: Type.Array(problem),
    },
    { $id: 'DryRunRefusal' },
  ),
);

const result = stringEnum(AUTHENTICATION_RESULTS);
const aligned = Type.Boolean({
  description: 'Whether the domain that was checked is aligned with the domain in From, as DMARC requires.',
});
const reason = nullable(Type.String());

const message = Type.Object(
  {
    size: Type.Object(
      { message: Type.Integer(), html: Type.Integer(), text: Type.Integer() },
      {
        description:
          'Sizes in bytes. `message`: the signed message as it is sent. `html` and `text`: the decoded parts.',
      },
    ),
    dkim: Type.Object({
      ...{ result, domain: nullable(Type.String()), selector: nullable(Type.String()), reason, aligned },
    }),
    spf: Type.Object({ result, domain: Type.String(), reason, aligned }),
    dmarc: Type.Object({
      policy: nullable(
        Type.String({ description: 'Policy in the DMARC record of the domain. Null if it has no record.' }),
      ),
      passes: Type.Boolean(),
    }),
    findings: Type.Array(
      Type.Object({
        kind: Type.String({ examples: ['text_missing'] }),
        severity: stringEnum(FINDING_SEVERITIES),
        message: Type.String({ description: 'Explanation in words.' }),
      }),
      { description: 'Problems in the message that affect spam filters or readers.' },
    ),
  },
  { $id: 'DryRunMessage' },
);

const recipient = Type.Object(
  {
    email: Type.String(),
    outcome: stringEnum(EXPECTED_OUTCOMES, {
      description:
        'Expected outcome. `delivered`, `deferred`, `bounced`, `failed`: the expected result of the first attempt. `held`, `waits`: the mail would be accepted, but not attempted for now. `refused`: the mail would not be accepted.',
    }),
    reason: nullable(
      Type.String({
        description: 'Reason code of the outcome. Null if the mail is expected to be delivered.',
      }),
    ),
    message: Type.String({ description: 'Explanation in words.' }),
    not_before: nullable(
      timestamp({
        description:
          'Earliest time of the first attempt. Null if it is made at once, or if the time is not known.',
      }),
    ),
    provider: nullable(Type.String()),
    site: nullable(
      Type.String({
        description:
          'Site that the mail goes to: the mail hosts, or the provider, that share limits. Null if it is not known.',
      }),
    ),
    route: Type.Object({
      transport: Type.String({
        description:
          'Name of the transport. `default` is the transport that the environment variables configure.',
      }),
      source: nullable(
        Type.String({
          description: 'IP address that the mail is sent from. Null if the route does not choose one.',
        }),
      ),
      rule: nullable(
        Type.Integer({
          description: 'Number of the rule in the route table, from 1. Null if no rule matches.',
        }),
      ),
      message: Type.String(),
    }),
    tls: nullable(
      Type.Object({
        mode: Type.String({ examples: ['opportunistic'] }),
        policy: Type.String({
          description: 'Origin of the TLS requirement, such as `mta_sts`, `dane` or `opportunistic`.',
          examples: ['mta_sts'],
        }),
      }),
    ),
    validation: nullable(
      Type.Object({ verdict: stringEnum(VALIDATION_VERDICTS), risk_score: Type.Number() }),
    ),
    took: nullable(
      Type.Object(
        {
          p50_ms: Type.Integer({ description: 'Median duration in milliseconds.' }),
          p90_ms: Type.Integer({ description: '90th percentile of the duration in milliseconds.' }),
          deliveries: Type.Integer({ description: 'Number of deliveries that were measured.' }),
        },
        {
          description:
            'Duration of the last deliveries that the site accepted at the first attempt, in milliseconds. Null if fewer than 20 such deliveries are known, or if the mail is not expected to be delivered.',
        },
      ),
    ),
  },
  { $id: 'DryRunRecipient' },
);

const told = { refusal, message: nullable(message), recipients: Type.Array(recipient) };
const isDry = Type.Literal(true);

export const dryRunResult = Type.Object(
  { dry_run: isDry, accepted: Type.Boolean({ description: 'Whether the send would be accepted.' }), ...told },
  { $id: 'DryRun', description: 'Expected result of a send. Nothing was sent.' },
);

const rejected = Type.Object({ index: Type.Integer(), error: Type.String() });

export const dryBatchResult = Type.Object(
  {
    dry_run: isDry,
    total: Type.Integer({ description: 'Number of recipients in the request.' }),
    accepted: Type.Integer({ description: 'Number of emails that would be accepted.' }),
    rejected: Type.Array(rejected),
    ...told,
  },
  {
    $id: 'DryRunBatch',
    description: 'Expected result of a batch. Nothing was sent. `message` is about the first email.',
  },
);

export const dryMixedResult = Type.Object(
  {
    dry_run: isDry,
    total: Type.Integer({ description: 'Number of emails in the request.' }),
    accepted: Type.Integer({ description: 'Number of emails that would be accepted.' }),
    refusal,
    results: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'Position of the email in `emails`, from 0.' }),
        accepted: Type.Boolean({ description: 'Whether the email would be accepted.' }),
        ...told,
      }),
    ),
  },
  { $id: 'DryRunMixed' },
);

export interface RefusalView {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: { readonly field: string; readonly message: string }[];
}

/** A forecast in the API's format. */
export function forecastView(forecast: EmailForecast | undefined, refusal: RefusalView | null) {
  return {
    refusal,
    message: forecast?.message ? messageForecastView(forecast.message) : null,
    recipients: (forecast?.recipients ?? []).map(recipientForecastView),
  };
}

export function messageForecastView({ links: _, findings, ...rest }: MessageForecast) {
  return { ...rest, findings: [...findings] };
}

export function recipientForecastView({ notBefore, ...rest }: RecipientForecast) {
  return { ...rest, not_before: notBefore?.toISOString() ?? null };
}
