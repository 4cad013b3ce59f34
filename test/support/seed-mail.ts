/** Inserts many accepted emails into the tables at once, like the API, but without requests. */
import { adHoc, type Sql } from '../../src/database/sql.ts';
import { type Priority, priorityRank } from '../../src/outbox/states.ts';
import type { MessageTls } from '../../src/protocols/smtp/facts.ts';
import type { Mode } from '../../src/runtime/config.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';

export interface Seed {
  readonly organizationId: string;
  readonly domain: string;
  readonly count: number;
  /** Live by default. */
  readonly mode?: Mode;
  readonly from?: string;
  readonly priority?: Priority;
  /** Negative for mail that is overdue. */
  readonly dueInMs?: number;
  readonly expiresInMs?: number;
  /** The number of the next attempt, for mail that was deferred before. */
  readonly attempt?: number;
  readonly html?: string | null;
  readonly text?: string;
  /** The message's requirement for TLS. */
  readonly tls?: MessageTls;
  readonly tags?: readonly { readonly name: string; readonly value: string }[];
  readonly stream?: string;
}

const insert = adHoc(
  `WITH new AS MATERIALIZED (
     SELECT n, 'r' || n || '@' || $2 AS address,
            (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || '7'
             || substr(md5(random()::text || n), 1, 3) || '8' || substr(md5(n || random()::text), 1, 15))::uuid AS id
     FROM generate_series(1, $3::int) AS n
   ), email AS (
     INSERT INTO emails (organization_id, id, status, priority, created_at, updated_at, from_email, subject, addresses,
                         mode, tags, stream)
     SELECT $1, id, 'queued', $5, now(), now(), $4, 'Seed ' || n,
            jsonb_build_object('to', jsonb_build_array(jsonb_build_object('email', address, 'name', null)),
                               'cc', '[]'::jsonb, 'bcc', '[]'::jsonb, 'reply_to', null)
            || coalesce($13::jsonb, '{}'),
            $11, $12::jsonb, $14
     FROM new
   ), content AS (
     INSERT INTO email_contents (organization_id, email_id, html, text) SELECT $1, id, $9, $10 FROM new
   ), recipient AS (
     INSERT INTO recipients (organization_id, email_id, position, kind, address, state, updated_at)
     SELECT $1, id, 0, 'to', address, 'queued', now() FROM new
   )
   INSERT INTO outbox (organization_id, email_id, position, domain, priority, due_at, expires_at, size, attempt,
                       mode)
   SELECT $1, id, 0, $2, $5, now() + $6 * interval '1 millisecond' + n * interval '1 microsecond',
          now() + $7 * interval '1 millisecond', length($10) + coalesce(length($9), 0), $8, $11
   FROM new`,
);

export async function seedMail(db: Sql, seed: Seed): Promise<void> {
  await db.exec(insert, [
    seed.organizationId,
    seed.domain,
    seed.count,
    seed.from ?? 'news@sender.test',
    priorityRank(seed.priority ?? 'normal'),
    seed.dueInMs ?? 0,
    seed.expiresInMs ?? DAY_MS,
    seed.attempt ?? 0,
    seed.html ?? null,
    seed.text ?? 'Hello.',
    seed.mode ?? 'live',
    seed.tags === undefined ? null : JSON.stringify(seed.tags),
    seed.tls === undefined ? null : JSON.stringify({ tls: seed.tls }),
    seed.stream ?? null,
  ]);
}
