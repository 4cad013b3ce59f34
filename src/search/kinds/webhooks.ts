/** Webhooks by URL, description, last error or id. */
import { occursIn } from '../../database/spellings.ts';
import { type EndpointRow, listEndpoints } from '../../webhooks/endpoints/store.ts';
import type { Found, SearchHit, Wanted } from '../found.ts';

export async function findWebhooks({ db, reach, words }: Wanted): Promise<Found> {
  const rows = await listEndpoints(db, reach.organizationId);
  const hits = rows.filter((row) => words.every((word) => occursIn(textsOf(row), word))).map(hitOf);
  return { hits, complete: true };
}

function textsOf({ id, url, description, last_error: error }: EndpointRow): string {
  return [id, url, description ?? '', error ?? ''].join(' ');
}

function hitOf({
  id,
  url,
  enabled,
  failing_since,
  last_error,
  description,
  created_at: at,
}: EndpointRow): SearchHit {
  const failing = failing_since === null ? null : last_error;
  const state = enabled ? (failing_since === null ? 'enabled' : 'failing') : 'disabled';
  return {
    id,
    title: url,
    email: null,
    name: null,
    state,
    message: failing ?? description,
    email_id: null,
    at,
  };
}
