/** Everything that goes on beside the sending: people who look, programs that ask, lists that are imported. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../fuzz/random.ts';
import { addressOf, dataOf, tokenOf } from '../storm/mail.ts';
import type { Client, Reply } from './client.ts';
import type { Sender } from './sender.ts';
import type { Tally } from './tally.ts';

export interface Place {
  readonly client: Client;
  readonly random: Random;
  readonly sender: Sender;
  readonly tally: Tally;
  readonly templateId: string;
  readonly domainId: string;
  readonly webhookId: string;
}

export const PERSON = { email: 'ada@soak.test', password: 'correct horse battery staple' };

interface Errand {
  readonly kind: string;
  /** On average. */
  readonly everyMs: number;
  /** Null when it went as it should. */
  run(place: Place): Promise<string | null>;
}

const IMPORTED = 2_000;
const PAGES = 50;

const ERRANDS: readonly Errand[] = [
  { kind: 'list emails', everyMs: 1_000, run: listEmails },
  { kind: 'search', everyMs: 1_000, run: search },
  { kind: 'read an email', everyMs: 500, run: readEmail },
  { kind: 'list events', everyMs: 2_000, run: get(({ random }) => `/events?type=${eventType(random)}`) },
  { kind: 'statistics', everyMs: 5_000, run: get(() => '/stats') },
  { kind: 'list suppressions', everyMs: 5_000, run: get(() => '/suppressions?limit=50') },
  {
    kind: 'list webhook deliveries',
    everyMs: 10_000,
    run: get(({ webhookId }) => `/webhooks/${webhookId}/deliveries`),
  },
  { kind: 'preview a template', everyMs: 1_000, run: preview },
  { kind: 'check a domain', everyMs: 15_000, run: get(({ domainId }) => `/domains/${domainId}/verify`) },
  { kind: 'sign in', everyMs: 20_000, run: signIn },
  { kind: 'import suppressions', everyMs: 120_000, run: importSuppressions },
];

/** Until aborted; resolves when the last of them is done. */
export async function runErrands(place: Place, until: AbortSignal): Promise<void> {
  await Promise.all(ERRANDS.map((errand) => repeat(errand, place, until)));
}

async function repeat({ kind, everyMs, run }: Errand, place: Place, until: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(everyMs * (0.5 + place.random.next()), undefined, { signal: until }).catch(() => undefined);
    if (until.aborted) return;
    await place.tally.watch(kind, () => run(place));
  }
}

function get(path: (place: Place) => string): Errand['run'] {
  return async (place) => unlessOk(await place.client.ask(path(place)));
}

function unlessOk({ status, text }: Reply): string | null {
  return status < 300 ? null : `${status} ${text.slice(0, 300)}`;
}

function eventType(random: Random): string {
  return random.pick(['delivered', 'bounced', 'deferred', 'opened']);
}

async function listEmails({ client, random }: Place): Promise<string | null> {
  const status = random.pick(['', '', '&status=delivered', '&status=bounced', '&status=queued']);
  return unlessOk(await client.ask(`/emails?limit=20&page=${random.integer(1, PAGES)}${status}`));
}

async function search({ client, random, sender }: Place): Promise<string | null> {
  if (sender.recent.length === 0) return null;
  const { number, kind } = random.pick(sender.recent);
  const query = random.chance(0.5)
    ? `to=${encodeURIComponent(addressOf(number, 0))}`
    : `subject=${tokenOf(kind, number, 0)}`;
  const reply = await client.ask(`/emails?${query}`);
  if (reply.status >= 300) return unlessOk(reply);
  const { pagination } = JSON.parse(reply.text) as { pagination: { total_count: number } };
  return pagination.total_count === 0 ? `${query} found nothing` : null;
}

async function readEmail({ client, random, sender }: Place): Promise<string | null> {
  const known = sender.recent.filter(({ emailId }) => emailId !== null);
  if (known.length === 0) return null;
  const part = random.chance(0.3) ? '/content' : '';
  return unlessOk(await client.ask(`/emails/${random.pick(known).emailId}${part}`));
}

async function preview({ client, random, templateId }: Place): Promise<string | null> {
  // Mostly a change that is not saved yet, as an editor asks for it: nothing of it may stay in memory.
  const draft = random.chance(0.7) ? { html: `<h1>{{token}}</h1><p>${random.word()} {{payload}}</p>` } : {};
  const data = dataOf(random.word());
  return unlessOk(await client.ask(`/templates/${templateId}/preview`, { body: { data, ...draft } }));
}

async function signIn({ client }: Place): Promise<string | null> {
  const signed = await client.ask('/auth/sign-in', { body: PERSON, withKey: false });
  const cookie = String(signed.headers['set-cookie'] ?? '').split(';')[0] ?? '';
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  const me = await client.ask('/auth/me', { headers, withKey: false });
  const out = await client.ask('/auth/sign-out', { method: 'POST', headers, withKey: false });
  return unlessOk(signed) ?? unlessOk(me) ?? unlessOk(out);
}

/** Half of every list was in the one before. */
async function importSuppressions({ client, tally }: Place): Promise<string | null> {
  const first = ((tally.counts['import suppressions']?.asked ?? 0) * IMPORTED) / 2;
  const lines = Array.from({ length: IMPORTED }, (_, i) => `left.${first + i}@elsewhere.test,unsubscribe`);
  return unlessOk(await client.ask('/suppressions/import', { csv: `email,reason\n${lines.join('\n')}\n` }));
}
