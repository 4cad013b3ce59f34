/**
 * Which addresses must not be mailed, asked for many at once: one question, however many recipients. Reads only.
 *
 * A plan made while the table was almost empty reads all of it for every address; kept, it would go on doing so after an
 * import has put a hundred thousand rows there, until PostgreSQL takes new statistics. So the function that is asked at every
 * send (`suppressed_among`) plans without that way, and the statement here is planned anew each time.
 */
import { type Sql, type Statement, sql, unprepared } from '../database/sql.ts';
import { type AddressOf, type EntryKey, type EntryOf, type ErasedKey, entryKey } from './suppression.ts';

const ASKED = `unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked(organization_id, key, index)`;
const ASKED_TWICE = `unnest($1::text[], $2::text[], $3::text[])
  WITH ORDINALITY AS asked(organization_id, key, hashed, index)`;
const SUPPRESSED = `(SELECT 1 AS hit FROM suppressions s
   WHERE s.organization_id || s.key = asked.organization_id || asked.key LIMIT 1)`;
/** Under the address itself, or under the hash that an erased one left. */
const SUPPRESSED_OR_ERASED = `(SELECT 1 AS hit FROM suppressions s
     WHERE s.organization_id || s.key = asked.organization_id || asked.key
   UNION ALL SELECT 1 FROM suppressions s
     WHERE s.organization_id || s.key = asked.organization_id || asked.hashed LIMIT 1)`;
const WAS_FULL = `(SELECT 1 AS hit FROM mailbox_failures m
   WHERE m.key = asked.key AND m.organization_id = asked.organization_id LIMIT 1)`;

/** What an erased address left in the list; null where nothing was ever erased. */
export type HashAddress = (address: AddressOf) => ErasedKey | null;

const never: HashAddress = () => null;

interface MailboxStateRow {
  readonly index: number;
  readonly suppressed: boolean;
  readonly was_full: boolean;
}

const mailboxStates = (asked: string, suppressed: string) =>
  `SELECT (asked.index - 1)::int AS index, s.hit IS NOT NULL AS suppressed, m.hit IS NOT NULL AS was_full
   FROM ${asked}
   LEFT JOIN LATERAL ${suppressed} AS s ON true
   LEFT JOIN LATERAL ${WAS_FULL} AS m ON true
   WHERE s.hit IS NOT NULL OR m.hit IS NOT NULL`;

/** Registered so that it is checked against the schema; planned anew each time. */
const plannedAnew = <Row>(name: string, text: string): Statement<Row> =>
  unprepared(sql<Row>(name, text, { home: 'cell', organization: '$1' }));

const MAILBOX_STATES = {
  plain: plannedAnew<MailboxStateRow>('suppressions.mailbox_states', mailboxStates(ASKED, SUPPRESSED)),
  hashed: plannedAnew<MailboxStateRow>(
    'suppressions.mailbox_states_or_erased',
    mailboxStates(ASKED_TWICE, SUPPRESSED_OR_ERASED),
  ),
};

const latelyAmong = sql<{ place: number }>(
  'suppressions.lately',
  `SELECT asked.place::int AS place
   FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked(organization_id, key, place)
   JOIN suppressions s ON s.organization_id = asked.organization_id AND s.key = asked.key
   WHERE s.source = 'automatic' AND s.created_at > now() - interval '24 hours'`,
  { home: 'cell', organization: '$1' },
);

/**
 * By place: addresses that were put on the list automatically, because mail to them bounced or was complained about, within the last
 * 24 hours. For that long a message is remembered: one that was accepted before may be sent again.
 */
export async function recentlySuppressed(
  db: Sql,
  addresses: readonly AddressOf[],
  hash: HashAddress = never,
): Promise<ReadonlySet<number>> {
  const questions = questionsOf(addresses, hash).flatMap((one) =>
    one.hashed === null ? [one] : [one, { ...one, key: one.hashed }],
  );
  const found = await db.many(latelyAmong, [
    questions.map(({ organizationId }) => organizationId),
    questions.map(({ key }) => key),
  ]);
  return new Set(found.map(({ place }) => (questions[place - 1] as Question).place));
}

/** An address, and the group of the mail to it: an unsubscription from that stops the mail too. */
export interface Asked extends AddressOf {
  readonly group?: string | null;
}

/** `unsubscribed`: from the group of this mail alone. */
export type Hit = 'listed' | 'unsubscribed';

/** What `suppressed_among` is asked about these addresses, and what its answer says. */
export interface SuppressionQuestion {
  readonly columns: {
    readonly asked_keys: readonly string[];
    readonly asked_hashes: readonly (string | null)[] | null;
  };
  /** By their places in the list asked about. */
  readonly hits: (places: readonly number[]) => ReadonlyMap<number, Hit>;
}

export function suppressionQuestion(
  addresses: readonly Asked[],
  hash: HashAddress = never,
): SuppressionQuestion {
  const questions = questionsOf(addresses, hash);
  return {
    columns: {
      asked_keys: questions.map(({ organizationId, key }) => organizationId + key),
      asked_hashes: questions.some(({ hashed }) => hashed !== null)
        ? questions.map(({ organizationId, hashed }) => hashed && organizationId + hashed)
        : null,
    },
    hits: (places) => hitsOf(places.map((place) => questions[place - 1] as Question)),
  };
}

/** Where all mail is stopped, it does not matter that a group's is. */
function hitsOf(found: readonly Question[]): ReadonlyMap<number, Hit> {
  const hits = new Map<number, Hit>();
  for (const { place, ofGroup } of found) {
    if (!ofGroup || !hits.has(place)) hits.set(place, ofGroup ? 'unsubscribed' : 'listed');
  }
  return hits;
}

export interface MailboxState {
  readonly suppressed: boolean;
  /** Failures because of a full mailbox are counted against it; see automatic.ts. */
  readonly mailboxWasFull: boolean;
}

const NOTHING_KNOWN: MailboxState = { suppressed: false, mailboxWasFull: false };

/** In the order asked. */
export async function mailboxStatesOf(
  db: Sql,
  addresses: readonly Asked[],
  hash: HashAddress = never,
): Promise<readonly MailboxState[]> {
  const questions = questionsOf(addresses, hash);
  const states = addresses.map(() => NOTHING_KNOWN);
  for (const { index, suppressed, was_full } of await askStates(db, questions)) {
    const { place } = questions[index] as Question;
    const before = states[place] as MailboxState;
    states[place] = {
      suppressed: before.suppressed || suppressed,
      mailboxWasFull: before.mailboxWasFull || was_full,
    };
  }
  return states;
}

interface Question extends EntryOf {
  readonly hashed: EntryKey | null;
  readonly place: number;
  readonly ofGroup: boolean;
}

/** One for each address, and one more for mail of a group. */
function questionsOf(addresses: readonly Asked[], hash: HashAddress): Question[] {
  return addresses.flatMap((one, place) => {
    const { group = null } = one;
    const hashed = hash(one);
    const plain = questionOf(one, hashed, place, null);
    return group === null ? plain : [plain, questionOf(one, hashed, place, group)];
  });
}

function questionOf(
  { organizationId, key }: AddressOf,
  hashed: ErasedKey | null,
  place: number,
  group: string | null,
): Question {
  return {
    organizationId,
    key: entryKey(key, group),
    hashed: hashed && entryKey(hashed, group),
    place,
    ofGroup: group !== null,
  };
}

/** Where nothing was ever erased nothing is planned or looked up for it. */
function askStates(db: Sql, questions: readonly Question[]): Promise<MailboxStateRow[]> {
  const columns = [questions.map((one) => one.organizationId), questions.map((one) => one.key)];
  if (questions.every((one) => one.hashed === null)) return db.many(MAILBOX_STATES.plain, columns);
  return db.many(MAILBOX_STATES.hashed, [...columns, questions.map((one) => one.hashed)]);
}
