import type { Lane } from '../outbox/lanes.ts';
import { priorityRank } from '../outbox/states.ts';
import type { NewEmail } from './email.ts';

/** The lanes of the emails that are due at once. A lane may occur more than once. */
export function lanesOf(
  emails: readonly Pick<NewEmail, 'organizationId' | 'priority' | 'scheduledAtMs' | 'recipients'>[],
): Lane[] {
  return emails.flatMap(({ organizationId, priority, scheduledAtMs, recipients }) =>
    scheduledAtMs === null
      ? recipients.map(({ address: { domain } }) => ({
          domain,
          organizationId,
          priority: priorityRank(priority),
        }))
      : [],
  );
}
