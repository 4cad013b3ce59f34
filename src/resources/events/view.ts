import { eventView } from '../../events/read.ts';
import type { StreamRow } from '../../events/stream.ts';

/** How an event of the organization's stream reads outside. */
export function streamView({ email_id, ...row }: StreamRow) {
  return { ...eventView(row), email_id };
}
