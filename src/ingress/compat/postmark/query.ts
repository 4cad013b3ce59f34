/**
 * Query parameters of Postmark's lists. Their names are case-insensitive, because its documentation and its
 * clients differ.
 */
import type { FastifyRequest } from 'fastify';
import { TRANSACTIONAL, toPostmarkStream } from '../../../emails/stream.ts';
import { type Address, parseAddress } from '../../../protocols/message/address.ts';
import { Problems } from '../../../runtime/problems.ts';
import { parseDay, parseMoment } from '../../../runtime/timestamp.ts';

export type PostmarkQuery = Readonly<Record<string, string | undefined>>;

export interface PostmarkWindow {
  readonly offset: number;
  readonly limit: number;
}

const DEFAULT_COUNT = 100;
const MAX_COUNT = 500;
/** How far a window may reach into a list. */
export const MAX_REACH = 10_000;

export function postmarkQuery({ query }: FastifyRequest): PostmarkQuery {
  const problems = new Problems();
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
    if (typeof value !== 'string') problems.add(name, 'must be given once');
    else if (value !== '') values[name.toLowerCase()] = value;
  }
  problems.throwIfAny();
  return values;
}

export function windowOf({ count = String(DEFAULT_COUNT), offset = '0' }: PostmarkQuery): PostmarkWindow {
  const problems = new Problems();
  const limit = wholeNumber(count);
  const skipped = wholeNumber(offset);
  if (limit === null || limit < 1 || limit > MAX_COUNT) problems.add('count', `must be 1 to ${MAX_COUNT}`);
  if (skipped === null) problems.add('offset', 'must be a whole number');
  if ((limit ?? 0) + (skipped ?? 0) > MAX_REACH)
    problems.add('offset', `with count must not be more than ${MAX_REACH}`);
  problems.throwIfAny();
  return { offset: skipped as number, limit: limit as number };
}

/** Lists have pages here, so a window that begins in the middle of one page ends in the next. */
export async function readWindow<T>(
  list: (page: { page: number; limit: number }) => Promise<{ rows: T[]; total: number }>,
  { offset, limit }: PostmarkWindow,
): Promise<{ rows: T[]; total: number }> {
  const page = Math.floor(offset / limit) + 1;
  const skip = offset % limit;
  const { rows, total } = await list({ page, limit });
  if (skip === 0) return { rows, total };
  const next = await list({ page: page + 1, limit });
  return { rows: [...rows, ...next.rows].slice(skip, skip + limit), total };
}

/**
 * Refuses filters that are not supported, because ignoring them would list too much. Only the stream
 * `outbound` exists.
 */
export function refuseFilters(query: PostmarkQuery, names: readonly string[]): void {
  const problems = new Problems();
  for (const [name, value] of Object.entries(query)) {
    if (name === 'messagestream' && value === toPostmarkStream(TRANSACTIONAL)) continue;
    if (names.some((one) => name === one || (one.endsWith('_') && name.startsWith(one))))
      problems.add(name, 'is no filter here');
  }
  problems.throwIfAny();
}

export function momentIn(query: PostmarkQuery, name: 'fromdate' | 'todate'): number | null {
  const text = query[name];
  if (text === undefined) return null;
  const day = parseDay(text);
  const ms = day === null ? parseMoment(text) : name === 'fromdate' ? day.firstMs : day.lastMs;
  if (ms === null) throw new Problems().add(name, 'must be a date such as 2027-01-31').toError();
  return ms;
}

/** Null without the filter. */
export function addressIn(query: PostmarkQuery, name: string): Address | null {
  const text = query[name];
  if (text === undefined) return null;
  const address = parseAddress(text);
  if (!address.ok) throw new Problems().add(name, `must be a whole address: ${address.message}`).toError();
  return address;
}

function wholeNumber(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}
