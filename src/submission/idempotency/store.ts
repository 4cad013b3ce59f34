/** The one writer of `idempotency_keys`. */
import { call, columns, inOrder } from '../../database/call.ts';
import { patternInJson, type RenamedAddress } from '../../database/renamed-address.ts';
import { type Sql, sql } from '../../database/sql.ts';

/** A run of a request: the first run, or one that took over from an abandoned run. */
export interface RequestKey extends IdempotencyRef {
  readonly run: string;
}

/** A request without a reservation: its key identifies it completely. A repeat is detected when the request is completed. */
export interface IdempotencyRef {
  readonly organizationId: string;
  readonly key: string;
  readonly run: string | null;
}

export interface StoredAnswer<Body = unknown> {
  readonly status: number;
  readonly body: Body;
}

export interface Completion extends IdempotencyRef {
  readonly answer: StoredAnswer;
}

/**
 * How long an answer is kept, and how long after its last report (`keepAlive`, every second) a request counts as abandoned, is
 * in `begin_request`, `complete_requests` and `repeated_requests`. A request that was abandoned but still runs cannot complete any more.
 */
const KEPT_FOR = '24 hours';
/** Cleaning runs in small steps, so that it never holds a lock for long. */
const CLEAN_STEP = 1_000;

const insert = sql<{
  begun: boolean;
  same: boolean | null;
  known_status: number | null;
  known_answer: unknown;
}>(
  'idempotency.begin',
  `SELECT * FROM begin_request(request_organization => $1, request_key => $2, hash => $3, new_run => $4)`,
  { home: 'cell', organization: '$1', isAwaited: true },
);

const select = sql<{ same: boolean; status: number | null; answer: unknown }>(
  'idempotency.find',
  `SELECT request_hash = $3 AS same, status, answer FROM idempotency_keys WHERE organization_id = $1 AND key = $2`,
  { home: 'cell', organization: '$1' },
);

/** This changes nothing, but its commit waits for all earlier commits, including that of the answer that was found. */
const confirm = sql(
  'idempotency.confirm',
  'SELECT FROM idempotency_keys WHERE organization_id = $1 AND key = $2 FOR UPDATE',
  { home: 'cell', organization: '$1', isAwaited: true },
);

const repeatedAmong = sql<{ repeated: readonly number[] | null }>(
  'idempotency.repeated',
  'SELECT repeated_requests(request_organizations => $1, request_keys => $2, runs => $3) AS repeated',
  { home: 'cell', organization: '$1' },
);

const answersOf = sql<{ place: number; known_status: number; known_answer: unknown }>(
  'idempotency.answers',
  'SELECT * FROM lock_answers(request_organizations => $1, request_keys => $2)',
  { home: 'cell', organization: '$1', isAwaited: true },
);

const stayAlive = sql(
  'idempotency.stay_alive',
  `UPDATE idempotency_keys k SET started_at = now()
   FROM unnest($1::text[], $2::text[], $3::uuid[]) AS running(organization_id, key, run)
   WHERE k.organization_id = running.organization_id AND k.key = running.key AND k.run = running.run
     AND k.status IS NULL`,
  { home: 'cell', organization: '$1' },
);

/** The parameters of `complete_requests`. */
export const COMPLETED = ['request_organizations', 'request_keys', 'runs', 'statuses', 'answers'] as const;

const complete = sql('idempotency.complete', call('SELECT complete_requests', COMPLETED), {
  home: 'cell',
  organization: '$1',
});

const remove = sql(
  'idempotency.delete',
  'DELETE FROM idempotency_keys WHERE organization_id = $1 AND key = $2 AND run = $3 AND status IS NULL',
  { home: 'cell', organization: '$1' },
);

const clean = sql(
  'idempotency.clean',
  `DELETE FROM idempotency_keys k
   USING (SELECT organization_id, key FROM idempotency_keys
          WHERE created_at < now() - interval '${KEPT_FOR}' LIMIT ${CLEAN_STEP}) AS old
   WHERE k.organization_id = old.organization_id AND k.key = old.key`,
  { home: 'cell' },
);

/**
 * The stored answers of sandbox sends and batches, also in the formats of other services. A batch is found by its first email.
 */
const forgetSandbox = sql(
  'idempotency.delete_sandbox',
  `DELETE FROM idempotency_keys k
   WHERE k.status < 300 AND (
     EXISTS (SELECT FROM emails e WHERE e.organization_id = k.organization_id AND e.mode = 'sandbox'
             AND e.id = coalesce(k.answer->'data'->>'message_id', k.answer->'data'->0->>'id', k.answer->>'id')::uuid)
     OR EXISTS (SELECT FROM emails e WHERE e.organization_id = k.organization_id AND e.mode = 'sandbox'
                AND e.batch_id = k.answer->'data'->>'batch_id'))`,
  { home: 'cell' },
);

type Found =
  | { readonly kind: 'running' }
  | { readonly kind: 'other_body' }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer };

/** Returns `begun` if the caller must run the request. */
export async function begin(
  db: Sql,
  { organizationId, key, run }: RequestKey,
  hash: Buffer,
): Promise<{ readonly kind: 'begun' } | Found> {
  const row = await db.one(insert, [organizationId, key, hash, run]);
  if (row.begun) return { kind: 'begun' };
  return foundAs(row.same === true, row.known_status, row.known_answer);
}

function foundAs(same: boolean, status: number | null, answer: unknown): Found {
  if (!same) return { kind: 'other_body' };
  return status === null ? { kind: 'running' } : { kind: 'answered', answer: { status, body: answer } };
}

/** The requests that were accepted before, or now belong to another run. */
export async function findRepeated<Request extends IdempotencyRef>(
  db: Sql,
  requests: readonly Request[],
): Promise<readonly Request[]> {
  if (requests.length === 0) return [];
  const { request_organizations, request_keys, runs } = requestColumns(requests);
  const { repeated } = await db.one(repeatedAmong, [request_organizations, request_keys, runs]);
  return (repeated ?? []).map((place) => requests[place - 1] as Request);
}

/** In the order given; null if there is no answer. Every returned answer is confirmed, see `confirmAnswer`. */
export async function confirmedAnswers(
  db: Sql,
  requests: readonly IdempotencyRef[],
): Promise<readonly (StoredAnswer | null)[]> {
  const answers: (StoredAnswer | null)[] = requests.map(() => null);
  if (requests.length === 0) return answers;
  const { request_organizations, request_keys } = requestColumns(requests);
  for (const row of await db.many(answersOf, [request_organizations, request_keys]))
    answers[row.place - 1] = { status: row.known_status, body: row.known_answer };
  return answers;
}

/** Reports that these requests are still running. */
export async function keepAlive(db: Sql, running: readonly RequestKey[]): Promise<void> {
  await db.exec(stayAlive, [...columns(running, 'organizationId', 'key', 'run')]);
}

/** Undefined if the key was removed meanwhile: its first run failed, and a new run may begin. */
export async function find(
  db: Sql,
  { organizationId, key }: Pick<RequestKey, 'organizationId' | 'key'>,
  hash: Buffer,
): Promise<Found | undefined> {
  const row = await db.maybeOne(select, [organizationId, key, hash]);
  return row && foundAs(row.same, row.status, row.answer);
}

/**
 * After this, a found answer may be returned: its transaction is on the disk of a standby, too, if commits wait for one. After
 * a restart, a primary shows transactions that were still waiting for the standby.
 */
export async function confirmAnswer(
  db: Sql,
  { organizationId, key }: Pick<RequestKey, 'organizationId' | 'key'>,
): Promise<void> {
  await db.exec(confirm, [organizationId, key]);
}

/**
 * Runs in the transaction whose result is answered, so that no crash can separate them. Fails the transaction if another run
 * took over one of the requests (`isTakenOver`).
 */
export async function completeAll(tx: Sql, completions: readonly Completion[]): Promise<void> {
  const columns = completionColumns(completions);
  if (columns !== null) await tx.exec(complete, inOrder(COMPLETED, columns));
}

/** The parameters of `complete_requests`; null if there is nothing to complete. */
export function completionColumns(completions: readonly Completion[]) {
  if (completions.length === 0) return null;
  return {
    ...requestColumns(completions),
    statuses: completions.map((one) => one.answer.status),
    answers: completions.map((one) => JSON.stringify(one.answer.body)),
  };
}

function requestColumns(requests: readonly IdempotencyRef[]) {
  return {
    request_organizations: requests.map((one) => one.organizationId),
    request_keys: requests.map((one) => one.key),
    runs: requests.map((one) => one.run),
  };
}

export async function freeKey(db: Sql, { organizationId, key, run }: RequestKey): Promise<void> {
  await db.exec(remove, [organizationId, key, run]);
}

/** Removes answers older than a day. Returns whether more may be left. */
export async function cleanStep(db: Sql): Promise<boolean> {
  return (await db.exec(clean)) === CLEAN_STEP;
}

/** When live mode starts, a request that the sandbox answered runs again, because its first result stayed in the sandbox. */
export async function forgetSandboxAnswers(db: Sql): Promise<void> {
  await db.exec(forgetSandbox);
}

const erase = sql(
  'idempotency.erase',
  `UPDATE idempotency_keys SET answer = regexp_replace(answer::text, $2, $3, 'gi')::jsonb
   WHERE organization_id = $1 AND answer::text ~* $2`,
  { home: 'cell', organization: '$1' },
);

/** Stored answers name recipients that were refused. */
export async function eraseFromAnswers(
  tx: Sql,
  organizationId: string,
  renamed: RenamedAddress,
): Promise<void> {
  await tx.exec(erase, [organizationId, patternInJson(renamed), renamed.shownAs]);
}
