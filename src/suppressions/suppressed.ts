/**
 * Checks which addresses must not be mailed, in one query for any number of recipients. Reads only.
 *
 * A plan made while the table is nearly empty scans all of it for every address. A prepared statement would keep that
 * plan after an import of a hundred thousand rows, until PostgreSQL updates its statistics. So `suppressed_among`,
 * which every send calls, disables sequential scans, and the statement here is planned anew each time.
 */
import { columns } from '../database/call.ts';
import { type Sql, type Statement, sql, unprepared } from '../database/sql.ts';
import { appendSuppressionEvents, type SuppressionEventType } from '../events/suppression-events.ts';
import {
  type AddressOf,
  type EntryKey,
  type EntryOf,
  type ErasedKey,
  entryKey,
  publicId,
  type SuppressionRow,
} from './suppression.ts';

const ASKED = `unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked(organization_id, key, index)`;
const ASKED_TWICE = `unnest($1::text[], $2::text[], $3::text[])
  WITH ORDINALITY AS asked(organization_id, key, hashed, index)`;
const SUPPRESSED = `(SELECT 1 AS hit FROM suppressions s
   WHERE s.organization_id || s.key = asked.organization_id || asked.key LIMIT 1)`;
/** Matches the address or the hash of an erased one. */
const SUPPRESSED_OR_ERASED = `(SELECT 1 AS hit FROM suppressions s
     WHERE s.organization_id || s.key = asked.organization_id || asked.key
   UNION ALL SELECT 1 FROM suppressions s
     WHERE s.organization_id || s.key = asked.organization_id || asked.hashed LIMIT 1)`;
const WAS_FULL = `(SELECT 1 AS hit FROM mailbox_failures m
   WHERE m.key = asked.key AND m.organization_id = asked.organization_id LIMIT 1)`;

/** The hash under which an erased address is listed; null when no address was ever erased. */
export type HashAddress = (address: AddressOf) => ErasedKey | null;

const noErasures: HashAddress = () => null;

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

/** Registered, so that it is checked against the schema; planned anew each time. */
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
 * The indexes of addresses that were suppressed automatically, after a bounce or complaint, within the last 24 hours.
 * A message accepted before may be sent again within that time.
 */
export async function recentlySuppressed(
  db: Sql,
  addresses: readonly AddressOf[],
  hash: HashAddress = noErasures,
): Promise<ReadonlySet<number>> {
  const questions = questionsOf(addresses, hash).flatMap((one) =>
    one.hashed === null ? [one] : [one, { ...one, key: one.hashed }],
  );
  const found = await db.many(latelyAmong, [...columns(questions, 'organizationId', 'key')]);
  return new Set(found.map(({ place }) => (questions[place - 1] as Question).place));
}

/** An address and the group of its mail. An unsubscription from the group stops the mail too. */
export interface Asked extends AddressOf {
  readonly group?: string | null;
}

/** `unsubscribed`: only from the group of this mail. */
export type Hit = 'listed' | 'unsubscribed';

/** The parameters of `suppressed_among` for these addresses, and a reader of its result. */
interface SuppressionQuestion {
  readonly columns: {
    readonly asked_keys: readonly string[];
    readonly asked_hashes: readonly (string | null)[] | null;
  };
  /** `places`: positions in the question, counted from 1. */
  readonly hits: (places: readonly number[]) => ReadonlyMap<number, Hit>;
}

export function suppressionQuestion(
  addresses: readonly Asked[],
  hash: HashAddress = noErasures,
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

/** An entry that stops all mail takes precedence over a group's. */
function hitsOf(found: readonly Question[]): ReadonlyMap<number, Hit> {
  const hits = new Map<number, Hit>();
  for (const { place, ofGroup } of found) {
    if (!ofGroup || !hits.has(place)) hits.set(place, ofGroup ? 'unsubscribed' : 'listed');
  }
  return hits;
}

export interface MailboxState {
  readonly suppressed: boolean;
  /** The mailbox has counted failures because it was full; see automatic.ts. */
  readonly mailboxWasFull: boolean;
}

const NOTHING_KNOWN: MailboxState = { suppressed: false, mailboxWasFull: false };

/** In the order of `addresses`. */
export async function mailboxStatesOf(
  db: Sql,
  addresses: readonly Asked[],
  hash: HashAddress = noErasures,
): Promise<readonly MailboxState[]> {
  const questions = questionsOf(addresses, hash);
  const states = addresses.map(() => NOTHING_KNOWN);
  for (const { index, suppressed, was_full } of await queryStates(db, questions)) {
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

/** One for each address, and a second one for mail of a group. */
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

/** Without erased addresses, the query skips the lookup of hashes. */
function queryStates(db: Sql, questions: readonly Question[]): Promise<MailboxStateRow[]> {
  const columns = [questions.map((one) => one.organizationId), questions.map((one) => one.key)];
  if (questions.every((one) => one.hashed === null)) return db.many(MAILBOX_STATES.plain, columns);
  return db.many(MAILBOX_STATES.hashed, [...columns, questions.map((one) => one.hashed)]);
}

export type SuppressionEventRow = Omit<SuppressionRow, 'cause' | 'created_at'> & {
  readonly organization_id: string;
};

/** Records webhook events about changes of the list, in the transaction of the change. */
export function recordSuppressionEvents(
  tx: Sql,
  type: SuppressionEventType,
  rows: readonly SuppressionEventRow[],
): Promise<void> {
  return appendSuppressionEvents(
    tx,
    type,
    rows.map(({ organization_id, id, email, reason, source, email_id, unsubscribe_group }) => ({
      organizationId: organization_id,
      data: { suppression_id: publicId(id), email, reason, source, email_id, unsubscribe_group },
    })),
  );
}
