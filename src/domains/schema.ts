import { Type } from 'typebox';
import { checked, nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { PUBLISHERS } from './dns-records.ts';
import { parseDomainName } from './name.ts';
import { ROTATION_STATUSES } from './rotation.ts';
import { domainTrackingSchema } from './tracking/schema.ts';
import { CHECKED_RECORDS, DNS_CHECK_STATUSES } from './verify.ts';

export const createDomainBody = strictObject(
  {
    domain: checked(
      Type.String({
        description:
          'Domain to send from, such as `example.org` or `mail.example.org`. You need access to its DNS.',
        examples: ['example.org'],
      }),
      (text, problems) => {
        const parsed = parseDomainName(text);
        if (!parsed.ok) problems.add('', parsed.message);
      },
    ),
  },
  { $id: 'CreateDomain' },
);

export const domainParams = Type.Object({ id: Type.String() });

const basics = {
  id: Type.String({ description: 'Id of the domain. Starts with `dom_`.' }),
  domain: Type.String({
    description:
      'Name of the domain in lower case. Internationalized names are in their ASCII form (`xn--…`).',
  }),
  display_name: Type.String({
    description: 'Name of the domain as people write it, such as `müller.example`.',
  }),
  is_verified: Type.Boolean({
    description: 'Whether mail can be sent from the domain: its DKIM and SPF records were found.',
  }),
  spf_verified: Type.Boolean(),
  dkim_verified: Type.Boolean(),
  dkim_selector: Type.String(),
  dkim_public_key: Type.String({ description: 'Public DKIM key in base64, as in `p=` of the DKIM record.' }),
};

const dnsRecord = {
  type: Type.String({ examples: ['TXT'] }),
  name: Type.String(),
  value: Type.String(),
};

const check = Type.Object(
  {
    record: stringEnum(CHECKED_RECORDS),
    status: stringEnum(DNS_CHECK_STATUSES, {
      description:
        'Result of the check. `warn`: worth fixing, but not required. `unknown`: DNS gave no answer, so the domain stays as it was.',
    }),
    type: Type.String({ examples: ['TXT'] }),
    name: Type.String(),
    expected: Type.String({ description: 'Value to publish in DNS.' }),
    found: Type.Array(Type.String(), { description: 'Values that DNS has now for this name and type.' }),
    message: Type.String({ description: 'Result of the check in words, with the necessary change.' }),
  },
  { $id: 'DomainCheck' },
);

const rotation = Type.Object(
  {
    status: stringEnum(ROTATION_STATUSES, {
      description:
        '`waiting_for_dns`: publish `dns_record`. `switched`: the new key signs mail; keep the old record until `retires_at`. `finished`: the old key is destroyed and its record can be removed.',
    }),
    selector: Type.String({ description: 'DKIM selector of the new key.' }),
    previous_selector: Type.String(),
    dns_record: Type.Object(dnsRecord, { description: 'DNS record of the new key, to publish.' }),
    previous_dns_record: Type.Object(dnsRecord),
    check: nullable(check),
    message: Type.String({ description: 'State of the rotation and the next step, in words.' }),
    started_at: timestamp(),
    seen_at: nullable(
      timestamp({
        description: 'Time since which DNS has had the new record. Null if it has not been found.',
      }),
    ),
    switched_at: nullable(
      timestamp({ description: 'Time from which mail is signed with the new key. Null before the switch.' }),
    ),
    retires_at: nullable(
      timestamp({ description: 'Time at which the old key is destroyed. Null before the switch.' }),
    ),
  },
  { $id: 'DkimRotation' },
);

const recommendedRecord = {
  ...dnsRecord,
  purpose: Type.String({ description: 'Effect of the record, in words.' }),
  published_by: stringEnum(PUBLISHERS, {
    description:
      '`domain_owner`: publish the record in the DNS of the domain. `operator`: the operator of the installation publishes the record once for all domains.',
  }),
};

const recommendedRecords = Type.Array(Type.Object(recommendedRecord), {
  description: 'DNS records that are recommended, but not required for verification.',
});

export const domainSchema = Type.Object(
  {
    ...basics,
    recommended_records: recommendedRecords,
    verified_at: Type.Optional(
      timestamp({ description: 'Time of the verification. Present only if the domain is verified.' }),
    ),
    checks: Type.Array(check, { description: 'Result of the last check for each record.' }),
    warning: nullable(
      Type.String({
        description:
          'Warning while the DNS records of a verified domain are wrong, with the time at which the domain stops sending. Null otherwise.',
      }),
    ),
    dkim_rotation: nullable(rotation),
    tracking: domainTrackingSchema,
    last_checked_at: nullable(timestamp()),
    next_check_at: nullable(
      timestamp({
        description: 'Time of the next automatic check. Null if the domain is only checked on request.',
      }),
    ),
    created_at: timestamp(),
  },
  { $id: 'Domain' },
);

export const newDomainSchema = Type.Object(
  {
    ...basics,
    dns_records: Type.Array(Type.Object(dnsRecord), {
      description: 'The two DNS records to publish before the domain can be verified.',
    }),
    recommended_records: recommendedRecords,
    created_at: timestamp(),
  },
  { $id: 'NewDomain' },
);
