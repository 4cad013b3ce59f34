import { eventView } from './read.ts';
import type { StreamRow } from './stream.ts';

/** How an event of the organization's stream reads outside. */
export function streamView({ email_id, ...row }: StreamRow) {
  return { ...eventView(row), email_id };
}
