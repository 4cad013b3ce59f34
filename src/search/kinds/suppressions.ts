/**
 * Suppressed addresses: by the address or parts of it, and by the name of the person. The list has no names, so a name is looked
 * for in emails, received mail and refused requests, and the addresses found there are looked up in the list.
 */
import { occursIn } from '../../database/spellings.ts';
import { ALL } from '../../emails/lists/emails-from.ts';
import { peopleMatching } from '../../emails/lists/newest-matches.ts';
import { searchWords } from '../../emails/lists/search-words.ts';
import { type Person, withinReach } from '../../emails/lists/store-list.ts';
import { type AddressKey, parseAddress } from '../../protocols/message/address.ts';
import { receivedWith } from '../../received/store-search.ts';
import { peopleIn, requestsWith } from '../../request-logs/search-log.ts';
import { entriesOf } from '../../suppressions/service.ts';
import { countSuppressions, searchSuppressions } from '../../suppressions/store-read.ts';
import { MAX_COMPARED, suppressionsOf, suppressionsWith } from '../../suppressions/store-search.ts';
import type { HashAddress } from '../../suppressions/suppressed.ts';
import { publicId, type SuppressionRow } from '../../suppressions/suppression.ts';
import { type Find, type Found, MAX_HITS, type SearchHit, type Wanted } from '../found.ts';
import type { MeaningOf } from './emails.ts';

/** People of one name whose addresses are looked up. */
const MAX_PEOPLE = 1_000;

interface Deps {
  readonly hash: HashAddress;
  readonly meaningOf: MeaningOf;
}

export function createFindSuppressions({ hash, meaningOf }: Deps): Find {
  return async (wanted) => {
    const { db, text, reach } = wanted;
    const address = parseAddress(text);
    const whole = address.ok
      ? await entriesOf(db, { organizationId: reach.organizationId, key: address.key }, hash)
      : [];
    const [byAddress, byName] = await Promise.all([findByAddress(wanted), findByName(wanted)]);
    const rows = new Map<string, SuppressionRow>();
    for (const row of [...whole, ...byAddress.rows, ...byName.rows]) rows.set(row.id, row);
    const hits = [...rows.values()].map((row) => hitOf(row, byName.names, meaningOf));
    return { hits, complete: byAddress.complete && byName.complete } satisfies Found;
  };
}

interface FoundRows {
  readonly rows: readonly SuppressionRow[];
  readonly complete: boolean;
}

/** By the beginning or the end through an index, then any part of the newest entries. */
async function findByAddress({ db, reach: { organizationId }, words }: Wanted): Promise<FoundRows> {
  const [first = ''] = words;
  const indexed = words.length === 1 ? await searchSuppressions(db, organizationId, first, null) : [];
  if (indexed.length > MAX_HITS) return { rows: indexed.slice(0, MAX_HITS + 1), complete: true };
  const rows = await suppressionsWith(db, organizationId, words, MAX_HITS + 1);
  const complete =
    rows.length > MAX_HITS || (await countSuppressions(db, organizationId, null)) <= MAX_COMPARED;
  return { rows: [...indexed, ...rows], complete };
}

async function findByName(
  wanted: Wanted,
): Promise<FoundRows & { readonly names: ReadonlyMap<string, string | null> }> {
  const { db, reach } = wanted;
  const { people, complete } = await peopleNamed(wanted);
  const names = new Map<AddressKey, string | null>();
  for (const { email, name } of people) {
    const key = keyOf(email);
    if (key !== undefined) names.set(key, name);
  }
  const rows = await suppressionsOf(db, reach.organizationId, [...names.keys()], MAX_HITS + 1);
  return { rows, complete, names };
}

type Named = Pick<Person, 'name'> & { readonly email: string };

async function peopleNamed(wanted: Wanted): Promise<{ people: readonly Named[]; complete: boolean }> {
  const { db, reach, words, isOver } = wanted;
  const { organizationId } = reach;
  const filter = withinReach({ ...ALL, search: searchWords(words.join(' ')) }, reach);
  const [recipients, senders, refused] = await Promise.all([
    filter === null
      ? { people: [], complete: true }
      : peopleMatching({ db, organizationId, filter, isOver }, words, MAX_PEOPLE),
    receivedWith(db, organizationId, words, MAX_HITS),
    requestsWith(db, organizationId, words, MAX_HITS),
  ]);
  const people: readonly Named[] = [
    ...senders.flatMap(({ from_email: email, from_name: name }) => (email === null ? [] : [{ email, name }])),
    ...refused.flatMap(({ facts }) => peopleIn(facts.excerpt)),
    ...recipients.people,
  ];
  const has = ({ name, email }: Named) => words.every((word) => occursIn(`${name ?? ''} ${email}`, word));
  return { people: people.filter(has), complete: recipients.complete };
}

/** Undefined where the text is no address: a refused request may have contained anything, and an erased entry has a placeholder. */
function keyOf(email: string): AddressKey | undefined {
  const address = parseAddress(email);
  return address.ok ? address.key : undefined;
}

function hitOf(
  row: SuppressionRow,
  names: ReadonlyMap<string, string | null>,
  meaningOf: MeaningOf,
): SearchHit {
  const name = names.get(keyOf(row.email) ?? '') ?? null;
  const { email, reason: state, email_id, created_at: at } = row;
  const message = messageOf(row, meaningOf);
  return { id: publicId(row.id), title: email, email, name, state, message, email_id, at };
}

const WHY: Readonly<Record<SuppressionRow['reason'], string>> = {
  hard_bounce: 'its server refused mail permanently',
  soft_bounce: 'its server kept refusing mail',
  complaint: 'its owner reported mail as spam',
  unsubscribe: 'its owner unsubscribed',
  manual: 'somebody added it by hand or by an import',
};

function messageOf(
  { reason, cause, unsubscribe_group: group }: SuppressionRow,
  meaningOf: MeaningOf,
): string {
  const what =
    group === null ? 'This address gets no mail' : `This address gets no mail of the group ${group}`;
  const meaning = cause === null ? null : meaningOf(cause);
  return `${what}, because ${WHY[reason]}.${meaning === null ? '' : ` ${meaning}`}`;
}
