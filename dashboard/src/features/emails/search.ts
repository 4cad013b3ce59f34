import { type ListSearch, listSearch } from '../../app/list-search.ts';

const NAMES = [
  'search',
  'status',
  'state',
  'period',
  'from_date',
  'to_date',
  'to',
  'from',
  'subject',
  'tag',
  'stream',
  'batch_id',
  'api_key_id',
] as const;

/** The statuses of delivered mail: an opened email is a delivered one. */
export const DELIVERED = 'delivered,opened';

export type EmailSearch = ListSearch<(typeof NAMES)[number]>;

export const emailSearch = listSearch(NAMES);
