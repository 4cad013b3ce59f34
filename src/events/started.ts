/**
 * An attempt whose start and end are recorded together is one row: its `processing` event has no row of its own. Readers get both
 * events. The id of the start is the id of the outcome with an even last digit, so no event is between the two. Pure.
 */
import { uuidv7 } from '../runtime/ids.ts';

/** Fields of an event that a start has, too. */
interface StoredEvent {
  readonly id: string;
  /** The time of the start that this row stands for, too; null if there is none. */
  readonly started_at: Date | null;
}

type Shown<Row> = Omit<Row, 'started_at'>;

/** The fields that an attempt has only when it ends. */
const NOTHING_YET = {
  mx_host: null,
  smtp_code: null,
  smtp_message: null,
  enhanced_code: null,
  reason: null,
  tls: null,
  tls_certificate: null,
  next_attempt_at: null,
} as const;

const LAST_DIGIT = 35;

/** The id of an outcome whose start has the id before it. */
export function outcomeId(nowMs: number): string {
  return withLastDigit(uuidv7(nowMs), (digit) => digit | 1);
}

/** The id of the `processing` event of the outcome with this id. */
export function startIdOf(outcome: string): string {
  return withLastDigit(outcome, (digit) => digit & ~1);
}

/** The id of the row that has an event, if the event is a start without a row. */
export function outcomeIdOf(start: string): string {
  return withLastDigit(start, (digit) => digit | 1);
}

function withLastDigit(id: string, change: (digit: number) => number): string {
  return id.slice(0, LAST_DIGIT) + change(Number.parseInt(id.slice(LAST_DIGIT), 16)).toString(16);
}

/** SQL: `startIdOf` of a column. */
export function startIdIn(column: string): string {
  return `(left(${column}::text, ${LAST_DIGIT}) || translate(right(${column}::text, 1), '13579bdf', '02468ace'))::uuid`;
}

/** The events of rows that were read oldest first. */
export function eventsOf<Row extends StoredEvent>(rows: readonly Row[]): Shown<Row>[] {
  return rows.flatMap((row) => [...startOf(row), ownEvent(row)]);
}

/** The events of rows that were read newest first. */
export function newestEventsOf<Row extends StoredEvent>(rows: readonly Row[]): Shown<Row>[] {
  return rows.flatMap((row) => [ownEvent(row), ...startOf(row)]);
}

/** The event with this id, of the row that has it. */
export function eventIn<Row extends StoredEvent>(row: Row, id: string): Shown<Row> {
  return row.id === id ? ownEvent(row) : (startOf(row)[0] ?? ownEvent(row));
}

/** The event that a row is named after. */
export function ownEvent<Row extends StoredEvent>({ started_at: _, ...event }: Row): Shown<Row> {
  return event;
}

function startOf<Row extends StoredEvent>({ started_at, ...event }: Row): Shown<Row>[] {
  if (started_at === null) return [];
  const start = { ...NOTHING_YET, id: startIdOf(event.id), type: 'processing', created_at: started_at };
  return [{ ...event, ...start }];
}
