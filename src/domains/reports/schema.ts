import { Type } from 'typebox';
import { nullable, strictObject, stringEnum } from '../../http/schema.ts';
import { DMARC_POLICIES } from '../dmarc.ts';

const MAX_DAYS = 400;

export const reportsQuery = strictObject({
  days: Type.Integer({
    minimum: 1,
    maximum: MAX_DAYS,
    default: 30,
    description: 'Number of UTC days to cover, including today.',
  }),
});

const record = Type.Object({
  type: Type.String({ examples: ['TXT'] }),
  name: Type.String(),
  value: Type.String(),
});

const period = {
  domain: Type.String(),
  from: Type.String({ description: 'First UTC day of the period.', examples: ['2026-10-18'] }),
  to: Type.String({ description: 'Last UTC day of the period: today.', examples: ['2026-11-16'] }),
};

const reporters = Type.Array(Type.Object({ name: Type.String(), reports: Type.Integer() }), {
  description:
    'Organizations that sent reports, by the name that they state, with the number of their reports. At most 50.',
});

const outcomes = {
  messages: Type.Integer(),
  aligned: Type.Integer({
    description: 'Number of messages that pass DMARC: DKIM or SPF passed for the domain in From.',
  }),
  quarantined: Type.Integer({
    description: 'Number of messages that the receiver put into the spam folder.',
  }),
  rejected: Type.Integer({ description: 'Number of messages that the receiver refused.' }),
};

const byMethod = {
  dkim_aligned: Type.Integer(),
  spf_aligned: Type.Integer(),
  is_this_installation: Type.Boolean({
    description:
      'Whether the mail came from this installation: the IP address is configured as one of its sending addresses, or receivers found it allowed by the SPF record of its return paths.',
  }),
};

export const dmarcReportsSchema = Type.Object(
  {
    ...period,
    policy: nullable(
      stringEnum(DMARC_POLICIES, {
        description: 'Policy in the DMARC record at the last check. Null if the domain has no DMARC record.',
      }),
    ),
    advice: Type.String({ description: 'The next step, in words.' }),
    is_published: Type.Boolean({
      description:
        'Whether the DMARC record, at the last check, asks receivers to send reports to this installation.',
    }),
    record: Type.Object(record.properties, {
      description:
        'DMARC record to publish: the existing record with the report address of this installation added.',
    }),
    permission: nullable(
      Type.Object(record.properties, {
        description:
          'DNS record that the operator of this server has to publish once, so that receivers send reports about other domains to this server. Null if no record is needed.',
      }),
    ),
    totals: Type.Object(outcomes),
    series: Type.Array(Type.Object({ date: Type.String(), ...outcomes }), {
      description: 'Counts for each day of the period, including days without reports.',
    }),
    senders: Type.Array(
      Type.Object({
        name: nullable(
          Type.String({
            description:
              'Registered domain for which DKIM or SPF passed. It identifies the service that sent the mail. Null if nothing passed, and for this installation.',
          }),
        ),
        addresses: Type.Integer({ description: 'Number of IP addresses that the sender used.' }),
        ...outcomes,
        ...byMethod,
      }),
      {
        description: 'Senders that use the domain in From, by number of messages, highest first. At most 50.',
      },
    ),
    sources: Type.Array(
      Type.Object({
        ip: nullable(
          Type.String({
            description:
              'IP address of the source. Null for the sum of many addresses with little mail each.',
          }),
        ),
        passed_as: Type.Array(Type.String(), {
          description: 'Domains for which DKIM or SPF passed, most frequent first.',
        }),
        ...outcomes,
        ...byMethod,
      }),
      { description: 'The same mail by IP address. At most 100 entries.' },
    ),
    reporters,
  },
  { $id: 'DmarcReports' },
);

const sessions = { sessions: Type.Integer(), failed: Type.Integer() };

export const tlsReportsSchema = Type.Object(
  {
    ...period,
    advice: Type.String({ description: 'The next step, in words.' }),
    record: nullable(
      Type.Object(record.properties, { description: 'DNS record that asks senders for TLS reports.' }),
    ),
    totals: Type.Object(sessions),
    series: Type.Array(Type.Object({ date: Type.String(), ...sessions }), {
      description: 'Counts for each day of the period, including days without reports.',
    }),
    failures: Type.Array(
      Type.Object({
        failure: Type.String({
          description:
            'Cause of the failure as RFC 8460 names it, such as `certificate-expired`. `unspecified` if the report has none.',
          examples: ['certificate-expired'],
        }),
        mx_host: nullable(
          Type.String({
            description: 'Mail host that the sender tried to connect to. Null if the report has none.',
          }),
        ),
        sessions: Type.Integer(),
      }),
      { description: 'Causes of failed sessions, most frequent first. At most 100.' },
    ),
    reporters,
  },
  { $id: 'TlsReports' },
);
