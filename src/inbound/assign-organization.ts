/**
 * Finds the organization of a message to a public address in an installation with several cells: the message is stored and
 * recorded in that organization's cell. A message without an organization belongs to the installation, in the first cell.
 */

import type { Database } from '../database/database.ts';
import { ofAllCells } from '../database/per-cell.ts';
import { type DomainRow, findSoleVerified } from '../domains/store.ts';
import { INSTALLATION } from '../organizations/installation.ts';
import { UNSUBSCRIBE_MAILBOX } from '../protocols/message/tracking-links.ts';
import { readAggregate } from './aggregate/read-aggregate.ts';
import { namesAbove } from './aggregate/record-reports.ts';
import { interpretUnsubscribe } from './interpret.ts';
import type { RecorderDeps } from './recorder.ts';
import { readReport } from './report/read-report.ts';
import type { Received } from './smtp/inbound-dialogue.ts';
import { ownerOf, type ServedMailbox } from './smtp/mailboxes.ts';

export type SignatureReaders = Pick<RecorderDeps, 'identify' | 'unsubscriber'>;

/** The message as it will be stored, and the organization whose cell stores it. */
export async function assignOrganization(
  db: Database,
  signed: SignatureReaders,
  message: Received,
): Promise<{ readonly organizationId: string; readonly message: Received }> {
  const mailbox = await ownedMailbox(db, signed, message);
  return { organizationId: ownerOf(mailbox), message: { ...message, mailbox } };
}

async function ownedMailbox(
  db: Database,
  signed: SignatureReaders,
  message: Received,
): Promise<ServedMailbox> {
  const { mailbox, head } = message;
  if (db.cells.length === 1 || ownerOf(mailbox) !== INSTALLATION) return mailbox;
  if (mailbox.kind === 'open') {
    const organizationId = namedIn(head, mailbox.name === UNSUBSCRIBE_MAILBOX, signed);
    return organizationId === null ? mailbox : { ...mailbox, organizationId };
  }
  if (mailbox.kind !== 'report') return mailbox;
  const domain = await soleDomain(db, message);
  return domain === undefined
    ? mailbox
    : { ...mailbox, domain: { organizationId: domain.organization_id, domainId: domain.id } };
}

function namedIn(
  raw: Buffer,
  isUnsubscribe: boolean,
  { identify, unsubscriber }: SignatureReaders,
): string | null {
  if (isUnsubscribe) {
    const found = interpretUnsubscribe(raw, unsubscriber);
    return found.kind === 'unsubscribe' ? found.ref.organizationId : null;
  }
  const report = readReport(raw);
  if (report.kind !== 'complaint' || report.reference === null) return null;
  return identify(report.reference)?.organizationId ?? null;
}

/** The domain, if one organization alone across all cells has verified it. */
async function soleDomain(db: Database, { head, mailbox }: Received): Promise<DomainRow | undefined> {
  if (mailbox.kind !== 'report') return undefined;
  const reading = await readAggregate(head, mailbox.name === 'dmarc' ? 'dmarc' : 'tls');
  if (!reading.ok) return undefined;
  const names = namesAbove(reading.report.domain);
  return findSoleVerified(
    { many: (statement, params) => ofAllCells(db, (cell) => cell.many(statement, params)) },
    names,
  );
}
