/** The webhook message about received mail: the mail itself, with links to its files. */

import type { Sql } from '../../database/sql.ts';
import { eventId } from '../../events/read.ts';
import type { FileLinks } from '../../received/download-link.ts';
import { findThese } from '../../received/store-read.ts';
import { MAX_EVENT_TEXT_CHARS, receivedEventView } from '../../received/view.ts';
import { TYPE_PREFIX } from '../endpoints/schema.ts';
import type { WebhookClaim } from '../queue.ts';
import { envelope } from './formats/postrider.ts';

export const RECEIVED = 'received';

/** By the event's id. Missing mail was removed. */
export async function loadReceived(
  db: Sql,
  claims: readonly WebhookClaim[],
  links: FileLinks,
): Promise<Map<string, object>> {
  if (claims.length === 0) return new Map();
  const asked = claims.map(({ organizationId, emailId }) => ({ organizationId, id: emailId as string }));
  const rows = new Map(
    (await findThese(db, asked, MAX_EVENT_TEXT_CHARS + 1)).map((row) => [
      `${row.organization_id} ${row.id}`,
      row,
    ]),
  );
  return new Map(
    claims.flatMap((claim) => {
      const row = rows.get(`${claim.organizationId} ${claim.emailId}`);
      return row === undefined
        ? []
        : [[claim.eventId, receivedBody(claim, receivedEventView(row, links))] as const];
    }),
  );
}

function receivedBody(
  { eventId: event, createdAt }: WebhookClaim,
  { id, ...told }: ReturnType<typeof receivedEventView>,
): object {
  const about = { id: eventId(event), type: RECEIVED, received_id: id };
  return envelope(`${TYPE_PREFIX}${RECEIVED}`, createdAt, { ...about, ...told });
}

/** Sample received mail for a test. */
export function testReceived(claim: WebhookClaim): object {
  const row = {
    organization_id: claim.organizationId,
    id: NO_MAIL,
    received_at: claim.createdAt,
    state: 'read' as const,
    mail_from: 'sender@example.org',
    recipients: ['support@example.com'],
    route_ids: [],
    remote_address: '192.0.2.1',
    helo: 'mail.example.org',
    secured: true,
    size: 512,
    from_email: 'sender@example.org',
    from_name: null,
    subject: 'A test of this webhook',
    message_id: '<test@example.org>',
    details: null,
    authentication: null,
    scans: null,
    automatic: false,
    problem: null,
    conversation_id: NO_MAIL,
    reply_to_email_id: null,
    token_email_id: null,
    has_source: false,
    text: 'Hello.\n\n> What you wrote.',
    html: null,
    reply: 'Hello.',
  };
  return receivedBody(claim, receivedEventView(row, { of: () => '' }));
}

const NO_MAIL = '00000000-0000-0000-0000-000000000000';
