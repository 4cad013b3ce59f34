import { type ListSearch, listSearch } from '../../app/list-search.ts';

const NAMES = [
  'recipient',
  'code',
  'path',
  'status',
  'key_id',
  'request_id',
  'period',
  'from_date',
  'to_date',
] as const;

export type LogSearch = ListSearch<(typeof NAMES)[number]>;

export const logSearch = listSearch(NAMES);
