/** The schema of an event of an email. */
import { Type } from 'typebox';
import { EVENT_TYPES } from '../events/append.ts';
import { nullable, stringEnum, timestamp } from '../http/schema.ts';
import { TLS_POLICIES } from '../protocols/smtp/facts.ts';
import { emailHold } from './fields-schema.ts';

/** How the identity of the server was verified on an encrypted connection. */
export const tlsCertificate = nullable(
  Type.Object(
    {
      verified: Type.Boolean({
        description:
          'Whether the certificate is valid, comes from a trusted authority and has the name of the host. With the policy `dane`: whether it matches the TLSA records in DNS.',
      }),
      policy: stringEnum(TLS_POLICIES, {
        description:
          'Origin of the TLS requirement. `dane`: TLSA records of the mail host. `mta_sts`: the policy of the recipient’s domain. `require_tls`: the option of the email. `provider`: rules of the provider. `relay`: your relay. `opportunistic`: no requirement; the server offered TLS.',
      }),
      issuer: nullable(Type.String({ description: 'Issuer of the certificate. Null if unknown.' })),
      problem: nullable(Type.String({ description: 'Why the certificate is not verified. Null if it is.' })),
      sha256: Type.Optional(
        nullable(Type.String({ description: 'SHA-256 of the certificate, in hexadecimal.' })),
      ),
    },
    {
      $id: 'TlsCertificate',
      description: 'Certificate of the receiving server. Null if the connection was not encrypted.',
    },
  ),
);

export const event = Type.Object(
  {
    id: Type.String(),
    type: stringEnum(EVENT_TYPES, { examples: ['delivered'] }),
    recipient: Type.String(),
    mx_host: nullable(
      Type.String({ description: 'Host name of the receiving mail server. Null if no server was reached.' }),
    ),
    smtp_code: nullable(
      Type.Integer({
        description: 'SMTP reply code of the server, such as 250 or 550. Null if there was no reply.',
      }),
    ),
    smtp_message: nullable(
      Type.String({ description: 'Text of the server’s SMTP reply. Null if there was no reply.' }),
    ),
    enhanced_code: nullable(
      Type.String({
        description: 'Enhanced status code of the server’s reply, such as `5.1.1`. Null if it had none.',
      }),
    ),
    reason: nullable(
      Type.String({
        description:
          'Reason code of the event, from a closed list: `unknown_recipient`, `greylisted`, … Null if the event has no reason.',
      }),
    ),
    attempt: nullable(
      Type.Integer({
        description: 'Number of the delivery attempt, from 1. Null if the event is not about an attempt.',
      }),
    ),
    tls: nullable(
      Type.String({
        description: 'TLS protocol and cipher of the connection. Null if it was not encrypted.',
      }),
    ),
    tls_certificate: tlsCertificate,
    next_attempt_at: nullable(
      timestamp({ description: 'Time of the next attempt, for `deferred`. Null otherwise.' }),
    ),
    user_agent: nullable(
      Type.String({
        description:
          'User agent of the program that fetched the pixel or followed the link, for `opened` and `clicked`. Null otherwise.',
      }),
    ),
    machine: nullable(
      Type.Boolean({
        description:
          'Whether a machine (prefetch, scanner, bot or preview) and not a person caused the event, for `opened` and `clicked`. `reason` names the kind of machine. Null otherwise.',
      }),
    ),
    url: nullable(
      Type.String({ description: 'The link as it was written in the mail, for `clicked`. Null otherwise.' }),
    ),
    hold: nullable(emailHold),
    created_at: timestamp({ description: 'Time of the event.' }),
  },
  { $id: 'Event' },
);
