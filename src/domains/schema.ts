import { Type } from 'typebox';
import { checked, nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { parseDomainName } from './name.ts';
import { ROTATION_STATUSES } from './rotation.ts';
import { domainTrackingSchema } from './tracking/schema.ts';
import { CHECKED_RECORDS, DNS_CHECK_STATUSES } from './verify.ts';

export const createDomainBody = strictObject(
  {
    domain: checked(
      Type.String({
        description: 'A domain of your own, such as `example.org` or `mail.example.org`.',
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
  id: Type.String({ description: 'Starts with `dom_`.' }),
  domain: Type.String({ description: 'Lower case; internationalized names in their xn-- form.' }),
  display_name: Type.String({ description: 'As people write it: `müller.example`.' }),
  is_verified: Type.Boolean({ description: 'Mail may be sent from it: both records were found.' }),
  spf_verified: Type.Boolean(),
  dkim_verified: Type.Boolean(),
  dkim_selector: Type.String(),
  dkim_public_key: Type.String({ description: 'The `p=` of the DKIM record.' }),
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
        '`unknown`: DNS gave no answer, which changes nothing. `warn`: worth fixing, but not required.',
    }),
    type: Type.String({ examples: ['TXT'] }),
    name: Type.String(),
    expected: Type.String({ description: 'The value to publish.' }),
    found: Type.Array(Type.String(), { description: 'What is there now.' }),
    message: Type.String({ description: 'What to change.' }),
  },
  { $id: 'DomainCheck' },
);

const rotation = Type.Object(
  {
    status: stringEnum(ROTATION_STATUSES, {
      description:
        '`waiting_for_dns`: publish `dns_record`. `switched`: the new key signs, the old record stays until `retires_at`. `finished`: the old key is destroyed and its record can be removed.',
    }),
    selector: Type.String({ description: 'Of the new key.' }),
    previous_selector: Type.String(),
    dns_record: Type.Object(dnsRecord, { description: 'Of the new key.' }),
    previous_dns_record: Type.Object(dnsRecord),
    check: nullable(check),
    message: Type.String({ description: 'What to do next.' }),
    started_at: timestamp(),
    seen_at: nullable(timestamp({ description: 'Since when the new record has been found.' })),
    switched_at: nullable(timestamp({ description: 'Mail from then on is signed with the new key.' })),
    retires_at: nullable(timestamp({ description: 'When the old key is destroyed.' })),
  },
  { $id: 'DkimRotation' },
);

const recommendedRecords = Type.Array(Type.Object({ ...dnsRecord, purpose: Type.String() }), {
  description: 'Recommended, but not required for verification.',
});

export const domainSchema = Type.Object(
  {
    ...basics,
    recommended_records: recommendedRecords,
    verified_at: Type.Optional(timestamp({ description: 'Only of verified domains.' })),
    checks: Type.Array(check, { description: 'What the last check found, record by record.' }),
    warning: nullable(
      Type.String({
        description: 'Set while the records of a verified domain are wrong, with the time it stops.',
      }),
    ),
    dkim_rotation: nullable(rotation),
    tracking: domainTrackingSchema,
    last_checked_at: nullable(timestamp()),
    next_check_at: nullable(timestamp({ description: 'Null: only on request.' })),
    created_at: timestamp(),
  },
  { $id: 'Domain' },
);

export const newDomainSchema = Type.Object(
  {
    ...basics,
    dns_records: Type.Array(Type.Object(dnsRecord), { description: 'Publish these two.' }),
    recommended_records: recommendedRecords,
    created_at: timestamp(),
  },
  { $id: 'NewDomain' },
);
