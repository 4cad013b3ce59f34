import { Type } from 'typebox';
import { nullable, strictObject, stringEnum } from '../../http/schema.ts';
import { DMARC_POLICIES } from '../dmarc.ts';

const MAX_DAYS = 400;

export const reportsQuery = strictObject({
  days: Type.Integer({
    minimum: 1,
    maximum: MAX_DAYS,
    default: 30,
    description: 'How many days back, today among them. Days are those of UTC.',
  }),
});

const record = Type.Object({
  type: Type.String({ examples: ['TXT'] }),
  name: Type.String(),
  value: Type.String(),
});

const period = {
  domain: Type.String(),
  from: Type.String({ description: 'The first day.', examples: ['2026-10-18'] }),
  to: Type.String({ description: 'Today.', examples: ['2026-11-16'] }),
};

const reporters = Type.Array(Type.Object({ name: Type.String(), reports: Type.Integer() }), {
  description: 'Names of the reporting organizations, as they state them; 50 at most.',
});

const outcomes = {
  messages: Type.Integer(),
  aligned: Type.Integer({ description: 'DKIM or SPF passed for the domain in From: DMARC passes.' }),
  quarantined: Type.Integer({ description: 'Put into the spam folder.' }),
  rejected: Type.Integer({ description: 'Refused.' }),
};

const byMethod = {
  dkim_aligned: Type.Integer(),
  spf_aligned: Type.Integer(),
  is_this_installation: Type.Boolean({
    description:
      'The address is configured as one that this installation sends from, or a receiver found it allowed by the SPF record of its return paths.',
  }),
};

export const dmarcReportsSchema = Type.Object(
  {
    ...period,
    policy: nullable(
      stringEnum(DMARC_POLICIES, {
        description: 'The policy in the record, as of the last check. Null: the domain has no DMARC record.',
      }),
    ),
    advice: Type.String({ description: 'What to do next, in one sentence.' }),
    is_published: Type.Boolean({
      description: 'The DMARC record asks for reports to be sent here, as of the last check.',
    }),
    record: Type.Object(record.properties, {
      description:
        'The DMARC record to publish: the one that is there, with the address that takes reports added.',
    }),
    permission: nullable(
      Type.Object(record.properties, {
        description:
          'The record that the operator of this server must publish once, so that receivers send reports about other domains to this server. Null if no record is needed.',
      }),
    ),
    totals: Type.Object(outcomes),
    series: Type.Array(Type.Object({ date: Type.String(), ...outcomes }), {
      description: 'Day by day, also those that nobody reported about.',
    }),
    senders: Type.Array(
      Type.Object({
        name: nullable(
          Type.String({
            description:
              'The registered domain that the mail passed as, which tells the service that sent it. Null where nothing passed, and for this installation.',
          }),
        ),
        addresses: Type.Integer({ description: 'How many it sent from.' }),
        ...outcomes,
        ...byMethod,
      }),
      { description: 'Who sends in the name of the domain, the most mail first; 50 at most.' },
    ),
    sources: Type.Array(
      Type.Object({
        ip: nullable(Type.String({ description: 'Null: many addresses with little mail each.' })),
        passed_as: Type.Array(Type.String(), {
          description: 'Domains whose DKIM or SPF passed, the most frequent first.',
        }),
        ...outcomes,
        ...byMethod,
      }),
      { description: 'The same by address; 100 at most.' },
    ),
    reporters,
  },
  { $id: 'DmarcReports' },
);

const sessions = { sessions: Type.Integer(), failed: Type.Integer() };

export const tlsReportsSchema = Type.Object(
  {
    ...period,
    advice: Type.String({ description: 'What to do next, in one sentence.' }),
    record: nullable(Type.Object(record.properties, { description: 'The record that asks for reports.' })),
    totals: Type.Object(sessions),
    series: Type.Array(Type.Object({ date: Type.String(), ...sessions }), {
      description: 'Day by day, also those that nobody reported about.',
    }),
    failures: Type.Array(
      Type.Object({
        failure: Type.String({
          description: 'As RFC 8460 names it; `unspecified` where the report does not say.',
          examples: ['certificate-expired'],
        }),
        mx_host: nullable(Type.String({ description: 'The host that mail was to be handed to.' })),
        sessions: Type.Integer(),
      }),
      { description: 'Most often first; 100 at most.' },
    ),
    reporters,
  },
  { $id: 'TlsReports' },
);
