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
  description: 'Also asks where the links of the message lead, which takes seconds.',
});

export const dryRunQuery = strictObject({ check_links: checkLinks });

/** The query of sends. Strict, because a misspelt `dry_run` must not send mail. */
export const sendQuery = strictObject({ dry_run: Type.Boolean({ default: false }), check_links: checkLinks });

const problem = Type.Object({ field: Type.String(), message: Type.String() });

const refusal = nullable(
  Type.Object(
    {
      status: Type.Integer({ description: 'The response that the send would get.' }),
      code: Type.String(),
      message: Type.String(),
      details: Type.Array(problem),
    },
    { $id: 'DryRunRefusal' },
  ),
);

const result = stringEnum(AUTHENTICATION_RESULTS);
const aligned = Type.Boolean({ description: 'Whether it speaks for the domain in From.' });
const reason = nullable(Type.String());

const message = Type.Object(
  {
    size: Type.Object(
      { message: Type.Integer(), html: Type.Integer(), text: Type.Integer() },
      { description: 'In bytes: the message as it is handed over, signed; its parts decoded.' },
    ),
    dkim: Type.Object({
      ...{ result, domain: nullable(Type.String()), selector: nullable(Type.String()), reason, aligned },
    }),
    spf: Type.Object({ result, domain: Type.String(), reason, aligned }),
    dmarc: Type.Object({
      policy: nullable(Type.String({ description: 'What the domain asks for; null without a record.' })),
      passes: Type.Boolean(),
    }),
    findings: Type.Array(
      Type.Object({
        kind: Type.String({ examples: ['text_missing'] }),
        severity: stringEnum(FINDING_SEVERITIES),
        message: Type.String({ description: 'A sentence for people.' }),
      }),
      { description: 'Problems that spam filters and readers react to.' },
    ),
  },
  { $id: 'DryRunMessage' },
);

const recipient = Type.Object(
  {
    email: Type.String(),
    outcome: stringEnum(EXPECTED_OUTCOMES, {
      description:
        '`delivered`, `deferred`, `bounced`, `failed`: what the first attempt is expected to end in. `held`, `waits`: it is not tried for now. `refused`: it is not accepted.',
    }),
    reason: nullable(Type.String({ description: 'From the closed list of reasons.' })),
    message: Type.String({ description: 'A sentence for people.' }),
    not_before: nullable(timestamp({ description: 'When it is tried; null for at once, or not known.' })),
    provider: nullable(Type.String()),
    site: nullable(Type.String({ description: 'The mail hosts, or the provider, that share limits.' })),
    route: Type.Object({
      transport: Type.String({ description: '`default`: what the environment configures.' }),
      source: nullable(
        Type.String({ description: 'The address that it is sent from, where one is chosen.' }),
      ),
      rule: nullable(Type.Integer({ description: 'Of the route table, counting from 1.' })),
      message: Type.String(),
    }),
    tls: nullable(
      Type.Object({
        mode: Type.String({ examples: ['opportunistic'] }),
        policy: Type.String({ description: 'Why.', examples: ['mta_sts'] }),
      }),
    ),
    validation: nullable(
      Type.Object({ verdict: stringEnum(VALIDATION_VERDICTS), risk_score: Type.Number() }),
    ),
    took: nullable(
      Type.Object(
        { p50_ms: Type.Integer(), p90_ms: Type.Integer(), deliveries: Type.Integer() },
        {
          description:
            'How long the last deliveries to this site took that it accepted at once. Null where fewer than 20 are known, or it is not expected to be delivered.',
        },
      ),
    ),
  },
  { $id: 'DryRunRecipient' },
);

const told = { refusal, message: nullable(message), recipients: Type.Array(recipient) };
const isDry = Type.Literal(true);

export const dryRunResult = Type.Object(
  { dry_run: isDry, accepted: Type.Boolean(), ...told },
  { $id: 'DryRun', description: 'What would happen. Nothing was sent.' },
);

const rejected = Type.Object({ index: Type.Integer(), error: Type.String() });

export const dryBatchResult = Type.Object(
  {
    dry_run: isDry,
    total: Type.Integer(),
    accepted: Type.Integer(),
    rejected: Type.Array(rejected),
    ...told,
  },
  { $id: 'DryRunBatch', description: '`message` is that of the first email.' },
);

export const dryMixedResult = Type.Object(
  {
    dry_run: isDry,
    total: Type.Integer(),
    accepted: Type.Integer(),
    refusal,
    results: Type.Array(Type.Object({ index: Type.Integer(), accepted: Type.Boolean(), ...told })),
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
