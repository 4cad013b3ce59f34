/** The filters of the list of emails: converts query parameters to the store's filter. */
import { type Static, Type } from 'typebox';
import { keyField } from '../../accounts/api-keys/own-key.ts';
import { dateField, momentOfDate } from '../../http/fields.ts';
import { pageFields } from '../../http/pagination.ts';
import { checked, strictObject, stringEnum } from '../../http/schema.ts';
import { type AddressProblem, parseAddress } from '../../protocols/message/address.ts';
import { canonicalDomain, type DomainProblem } from '../../protocols/message/domain-name.ts';
import { type EmailStatus, SPECIAL_STATES, type SpecialState, STATUSES } from '../status.ts';
import { STREAM_NAME } from '../stream.ts';
import { parseTagFilter } from '../tag-filter.ts';
import { MAX_WORDS, searchWords } from './search-words.ts';
import type { EmailFilter } from './store-list.ts';

/** Ids begin with the time since 1970; PostgreSQL cannot write dates beyond the year 9999 in this format. */
const FIRST_MS = 0;
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function address(description: string) {
  return checked(Type.String({ maxLength: 320, description }), (text, problems) => {
    const wanted = parseWanted(text);
    if (wanted.ok) return;
    problems.add('', `must be a whole address, or @ and a domain (@example.org): ${wanted.message}`);
  });
}

function search() {
  const description =
    'Words to search for. An email matches if it has all of them. In the subject and in the names and addresses of recipients, a word of three characters or more matches the beginning of a word, and one of six or more matches any part, in any spelling: `mueller` matches Müller, and the other way round. A word also matches a whole tag, stream, metadata value, sender, API key id, template id or alias, a part of the name of a template, or the beginning of the email id (eight characters or more).';
  return checked(
    Type.String({ minLength: 1, maxLength: 200, description, examples: ['jane.doe'] }),
    (text, problems) => {
      const { length } = searchWords(text);
      if (length === 0) problems.add('', 'must contain something to search for');
      if (length > MAX_WORDS) problems.add('', `must be at most ${MAX_WORDS} words`);
    },
  );
}

const NO_STATUS = `must be one of ${STATUSES.join(', ')}, or several of these separated by commas`;

function status() {
  const description = `Only emails with this status: ${STATUSES.map((one) => `\`${one}\``).join(', ')}. Several statuses are separated by commas: \`delivered,opened\` lists all delivered emails.`;
  return checked(
    Type.String({ maxLength: 100, description, examples: ['delivered,opened'] }),
    (text, problems) => {
      if (!text.split(',').every(isStatus)) problems.add('', NO_STATUS);
    },
  );
}

function isStatus(text: string): text is EmailStatus {
  return STATUSES.some((one) => one === text);
}

export const emailsQuery = strictObject({
  ...pageFields,
  status: Type.Optional(status()),
  state: Type.Optional(
    stringEnum(Object.keys(SPECIAL_STATES) as SpecialState[], {
      description: 'Only emails in this state. These states refine a status; use `status` for the others.',
    }),
  ),
  from_date: Type.Optional(
    dateField(
      'Only emails that were accepted at or after this time. A date means the beginning of that UTC day.',
    ),
  ),
  to_date: Type.Optional(
    dateField('Only emails that were accepted at or before this time. A date means the end of that UTC day.'),
  ),
  to: Type.Optional(address('Only emails to this address, or to any address at a domain: `@example.org`.')),
  from: Type.Optional(
    address('Only emails from this address, or from any address at a domain: `@example.org`.'),
  ),
  subject: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Only emails with this text in the subject. Case is ignored.',
    }),
  ),
  batch_id: Type.Optional(Type.String({ maxLength: 64, description: 'Only emails of this batch.' })),
  api_key_id: keyField('Only emails that were sent with this API key. The key may be revoked.'),
  search: Type.Optional(search()),
  include: Type.Optional(
    stringEnum(['addresses'], {
      description: '`addresses` adds the fields `from` and `to` to each email of the list.',
    }),
  ),
  stream: Type.Optional(
    Type.String({
      pattern: STREAM_NAME.source,
      description: 'Only emails of this stream, such as `bulk`.',
      examples: ['bulk'],
    }),
  ),
  tag: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 330,
      description: 'Only emails with this tag: `name` or `name:value`.',
    }),
  ),
});

export function toFilter(query: Static<typeof emailsQuery>): EmailFilter {
  return {
    statuses: statusesOf(query),
    state: query.state ?? null,
    fromMs:
      query.from_date === undefined ? null : Math.max(FIRST_MS, momentOfDate(query.from_date, 'firstMs')),
    toMs: query.to_date === undefined ? null : Math.min(LAST_MS, momentOfDate(query.to_date, 'lastMs')),
    to: query.to === undefined ? null : addressOf(query.to),
    from: query.from === undefined ? null : addressOf(query.from),
    subject: query.subject ?? null,
    batchId: query.batch_id ?? null,
    tag: query.tag === undefined ? null : parseTagFilter(query.tag),
    stream: query.stream ?? null,
    sentWith: query.api_key_id ?? null,
    search: query.search === undefined ? null : searchWords(query.search),
  };
}

/** Sorted, so that the same statuses in another order are the same list to the cache. */
function statusesOf({ status: text, state }: Pick<Static<typeof emailsQuery>, 'status' | 'state'>) {
  if (text !== undefined) return [...new Set(text.split(',').filter(isStatus))].sort();
  const ofState = state === undefined ? null : SPECIAL_STATES[state];
  return ofState === null ? null : [ofState];
}

/** Uses the stored form, so that `jane@müller.example` finds mail to `jane@xn--mller-kva.example`. */
function parseWanted(text: string): { ok: true; address: string } | AddressProblem | DomainProblem {
  if (text.startsWith('@')) {
    const domain = canonicalDomain(text.slice(1));
    return domain.ok ? { ok: true, address: `@${domain.domain}` } : domain;
  }
  const parsed = parseAddress(text);
  return parsed.ok ? { ok: true, address: parsed.email } : parsed;
}

function addressOf(text: string): string {
  const wanted = parseWanted(text);
  if (!wanted.ok) throw new Error('An address to look for was not checked.');
  return wanted.address;
}
