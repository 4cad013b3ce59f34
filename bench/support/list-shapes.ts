/** The requests of the list bench: every filter, broad and narrow, first and last pages. */
import { DAY_MS } from '../../src/runtime/durations.ts';
import { DAYS, emailAt, KEYS, leakedAt, orderNumber, reference, SHARES } from './seed-emails.ts';

export interface Seeded {
  /** All emails. The measured organization has the first share. */
  readonly emails: number;
  readonly nowMs: number;
}

export interface Shape {
  readonly name: string;
  /** `other`: each request differs, so that caches do not help. */
  readonly asks: 'same' | 'other';
  /** The path of the nth request. */
  readonly path: (seeded: Seeded, n: number) => string;
}

const own = ({ emails }: Seeded) => Math.round(emails * SHARES[0]);
/** A position among the organization's emails, different for each request of a bench. */
const pick = (seeded: Seeded, n: number) => (n * 7_919 + 13) % (own(seeded) - 60);
const day = ({ nowMs }: Seeded, ago: number) => new Date(nowMs - ago * DAY_MS).toISOString().slice(0, 10);
const moment = ({ nowMs }: Seeded, daysAgo: number) => new Date(nowMs - daysAgo * DAY_MS).toISOString();

function emails(query: Readonly<Record<string, string | number>>): string {
  const texts = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return `/emails?${new URLSearchParams(texts)}`;
}

function same(name: string, query: (seeded: Seeded) => Readonly<Record<string, string | number>>): Shape {
  return { name, asks: 'same', path: (seeded) => emails(query(seeded)) };
}

function other(
  name: string,
  query: (seeded: Seeded, n: number) => Readonly<Record<string, string | number>>,
): Shape {
  return { name, asks: 'other', path: (seeded, n) => emails(query(seeded, n)) };
}

const between = (seeded: Seeded) => ({ from_date: day(seeded, 40), to_date: day(seeded, 20) });
const pageAt = (seeded: Seeded, part: number, limit = 20) =>
  Math.max(1, Math.floor((own(seeded) * part) / limit));

const since = (seeded: Seeded, n: number) => ({ from_date: moment(seeded, DAYS - 1 - n / 1_000) });

/** Broad queries with different values in each request. */
export const COLD: readonly Shape[] = [
  other('cold: common words in the subject', (seeded, n) => ({ ...since(seeded, n), subject: 'on its way' })),
  other('cold: a short word in the subject', (seeded, n) => ({ ...since(seeded, n), subject: 'order' })),
  other('cold: to a common domain', (seeded, n) => ({ ...since(seeded, n), to: '@gmail.example' })),
  other('cold: a common tag', (seeded, n) => ({ ...since(seeded, n), tag: 'kind:receipt' })),
  other('cold: by the key of most', (seeded, n) => ({ ...since(seeded, n), api_key_id: KEYS.most })),
];

export const SHAPES: readonly Shape[] = [
  same('first page', () => ({})),
  same('first page of 100', () => ({ limit: 100 })),
  same('a page in the middle', (seeded) => ({ page: pageAt(seeded, 0.5) })),
  same('last page', (seeded) => ({ page: pageAt(seeded, 1) })),
  same('status queued', () => ({ status: 'queued' })),
  same('status failed', () => ({ status: 'failed' })),
  same('status delivered', () => ({ status: 'delivered' })),
  same('status delivered, in the middle', (seeded) => ({ status: 'delivered', page: pageAt(seeded, 0.325) })),
  same('status bounced, last page', (seeded) => ({ status: 'bounced', page: pageAt(seeded, 0.019) })),
  same('three weeks', between),
  same('three weeks, last page', (seeded) => ({ ...between(seeded), page: pageAt(seeded, 20 / DAYS) })),
  same('three weeks, status opened', (seeded) => ({ ...between(seeded), status: 'opened' })),
  other('three weeks, to the millisecond', (seeded, n) => ({
    from_date: moment(seeded, 40.4 - n / 1_000),
    to_date: moment(seeded, 20.6 + n / 1_000),
  })),
  other('to one address', (seeded, n) => ({ to: recipientAt(seeded, pick(seeded, n)) })),
  other('to a rare domain', (seeded, n) => ({ to: rareDomainAt(seeded, pick(seeded, n)) })),
  same('to a common domain', () => ({ to: '@gmail.example' })),
  same('to a common domain, last page', (seeded) => ({ to: '@gmail.example', page: pageAt(seeded, 0.26) })),
  same('to a common domain, status bounced', () => ({ to: '@gmail.example', status: 'bounced' })),
  same('from one address', () => ({ from: 'orders@shop.example' })),
  same('from a domain', () => ({ from: '@shop.example' })),
  other('an order number in the subject', (seeded, n) => ({
    subject: orderNumber(2 * Math.floor(pick(seeded, n) / 2)),
  })),
  same('common words in the subject', () => ({ subject: 'on its way' })),
  same('a short word in the subject', () => ({ subject: 'order' })),
  same('subject in three weeks', (seeded) => ({ ...between(seeded), subject: 'invoice' })),
  same('a common tag', () => ({ tag: 'kind:receipt' })),
  ...COLD,
  other('a rare tag', (seeded, n) => ({ tag: `run:${(4 * Math.floor(pick(seeded, n) / 4)) % 100_000}` })),
  other('a batch', (seeded, n) => ({ batch_id: `batch_${Math.floor(pick(seeded, n) / 100)}` })),
  same('by the key of most', () => ({ api_key_id: KEYS.most })),
  same('by the key of most, a late page', (seeded) => ({
    api_key_id: KEYS.most,
    page: pageAt(seeded, 0.85),
  })),
  same('by a leaked key', () => ({ api_key_id: KEYS.leaked })),
  other('by a leaked key, since another moment', (seeded, n) => ({
    ...since(seeded, n),
    api_key_id: KEYS.leaked,
  })),
  other('by a leaked key, to one address', (seeded, n) => ({
    api_key_id: KEYS.leaked,
    to: recipientAt(seeded, leakedAt(n % 90, own(seeded))),
  })),
  { name: 'one email', asks: 'other', path: (seeded, n) => `/emails/${idAt(seeded, pick(seeded, n))}` },
  other('search: part of an address', (seeded, n) => ({
    search: recipientAt(seeded, pick(seeded, n)).split('@')[0] ?? '',
  })),
  other('search: a last name', (seeded, n) => ({
    search: nameAt(seeded, pick(seeded, n)).split(' ')[1] ?? '',
  })),
  other('search: first and last name', (seeded, n) => ({ search: nameAt(seeded, pick(seeded, n)) })),
  same('search: a first name', () => ({ search: 'jane' })),
  same('search: a common word', () => ({ search: 'order' })),
  other('search: an order number', (seeded, n) => ({
    search: orderNumber(2 * Math.floor(pick(seeded, n) / 2)),
  })),
  other('search: a value of metadata', (seeded, n) => ({
    search: reference(2 * Math.floor(pick(seeded, n) / 2)),
  })),
  other('search: the beginning of an id', (seeded, n) => ({
    search: idAt(seeded, pick(seeded, n)).slice(0, 13),
  })),
  other('cold: search for a common word', (seeded, n) => ({ ...since(seeded, n), search: 'invoice' })),
  { name: 'events, first page', asks: 'same', path: () => '/events' },
  {
    name: 'events to one address',
    asks: 'other',
    path: (seeded, n) =>
      `/events?${new URLSearchParams({ recipient: recipientAt(seeded, pick(seeded, n)) })}`,
  },
  {
    name: 'events to one address, delivered in three weeks',
    asks: 'other',
    path: (seeded, n) => {
      const recipient = recipientAt(seeded, pick(seeded, n));
      return `/events?${new URLSearchParams({ recipient, type: 'delivered', ...between(seeded) })}`;
    },
  },
  { name: 'events by a leaked key', asks: 'same', path: () => `/events?api_key_id=${KEYS.leaked}` },
  { name: 'suppressions, first page', asks: 'same', path: () => '/suppressions' },
  {
    name: 'suppressions, last page',
    asks: 'same',
    path: ({ emails: count }) => `/suppressions?page=${Math.floor((count * 0.1) / 20)}`,
  },
  { name: 'suppressions by reason', asks: 'same', path: () => '/suppressions?reason=complaint' },
  {
    name: 'suppressions, part of an address',
    asks: 'other',
    path: ({ emails: count }, n) =>
      `/suppressions?search=gone${1 + ((n * 7_919) % Math.floor(count * 0.1))}@`,
  },
  { name: 'templates, first page', asks: 'same', path: () => '/templates' },
  {
    name: 'templates, last page',
    asks: 'same',
    path: ({ emails: count }) => `/templates?page=${Math.max(1, Math.floor((count * 0.002) / 20))}`,
  },
];

function recipientAt(seeded: Seeded, n: number): string {
  return emailAt(0, n, own(seeded), seeded.nowMs).addresses.to[0]?.email ?? '';
}

function nameAt(seeded: Seeded, n: number): string {
  return emailAt(0, n, own(seeded), seeded.nowMs).addresses.to[0]?.name ?? '';
}

function idAt(seeded: Seeded, n: number): string {
  return emailAt(0, n, own(seeded), seeded.nowMs).id;
}

/** The number of the next email to a domain that only one recipient has. */
function rareDomainAt(seeded: Seeded, n: number): string {
  const address = recipientAt(seeded, n);
  const domain = address.slice(address.indexOf('@'));
  return domain.startsWith('@company') ? domain : rareDomainAt(seeded, n + 1);
}
