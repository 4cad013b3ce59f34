/** The public form of received mail, and of receiving names and routes. */
import type { ConversationItem } from './conversations.ts';
import { type FileLinks, LINK_GOOD_FOR_MS } from './download-link.ts';
import { isDangerous, NOT_SCANNED, type WrittenAddress } from './received-email.ts';
import type { ReceivingName } from './receiving-names.ts';
import { addressOfRoute } from './route-address.ts';
import type { InboundRoute } from './route-store.ts';
import type { FullReceivedRow, ReceivedRow } from './store-read.ts';

/** Webhooks get at most this much of a text. */
export const MAX_EVENT_TEXT_CHARS = 100_000;

export function receivedItemView(row: ReceivedRow) {
  return {
    id: row.id,
    status: row.state,
    from: row.from_email === null ? null : { email: row.from_email, name: row.from_name },
    to: [...row.recipients],
    subject: row.subject ?? '',
    is_automatic: row.automatic,
    has_attachments: (row.details?.attachments.length ?? 0) > 0,
    conversation_id: row.conversation_id,
    in_reply_to_email_id: row.reply_to_email_id,
    route_ids: [...row.route_ids],
    size: row.size,
    received_at: row.received_at,
  };
}

/** `untilMs`: when its links expire. */
export function receivedView(row: FullReceivedRow, links: FileLinks, untilMs: number) {
  const { details } = row;
  return {
    ...receivedItemView(row),
    matched_by: matchedBy(row),
    message_id: row.message_id,
    in_reply_to: details?.in_reply_to ?? null,
    references: [...(details?.references ?? [])],
    date: details?.date ?? null,
    header_to: plain(details?.to),
    cc: plain(details?.cc),
    reply_to: plain(details?.reply_to),
    text: row.text,
    html: row.html,
    stripped_reply: row.reply,
    is_truncated: details?.truncated ?? false,
    headers: (details?.headers ?? []).map((one) => ({ ...one })),
    attachments: attachmentsOf(row, links, untilMs),
    envelope: {
      mail_from: row.mail_from,
      remote_address: row.remote_address,
      helo: row.helo,
      tls: row.secured,
    },
    authentication: authenticationOf(row),
    ...scansOf(row),
    problem: row.problem,
    has_source: row.has_source,
  };
}

/** The webhook form: the same with shortened texts. The links are the same at every attempt. */
export function receivedEventView(row: FullReceivedRow, links: FileLinks) {
  const view = receivedView(row, links, row.received_at.getTime() + LINK_GOOD_FOR_MS);
  const isLong = [view.text, view.html, view.stripped_reply].some(
    (text) => (text ?? '').length > MAX_EVENT_TEXT_CHARS,
  );
  return {
    ...view,
    text: begun(view.text),
    html: begun(view.html),
    stripped_reply: begun(view.stripped_reply),
    is_truncated: view.is_truncated || isLong,
  };
}

function begun(text: string | null): string | null {
  return text === null ? null : text.slice(0, MAX_EVENT_TEXT_CHARS).toWellFormed();
}

function matchedBy({ reply_to_email_id, token_email_id }: ReceivedRow): 'token' | 'headers' | null {
  if (reply_to_email_id === null) return null;
  return reply_to_email_id === token_email_id ? 'token' : 'headers';
}

function attachmentsOf(row: FullReceivedRow, links: FileLinks, untilMs: number) {
  if (!row.has_source) return [];
  return (row.details?.attachments ?? []).map((file, position) => ({
    ...file,
    dangerous: isDangerous(file.filename),
    download_url: links.of({ organizationId: row.organization_id, id: row.id, position }, untilMs),
  }));
}

function authenticationOf({ authentication }: ReceivedRow) {
  if (authentication === null) return null;
  const { spf, dkim, dmarc } = authentication;
  return { spf, dkim: { result: dkim.result, signatures: [...dkim.signatures] }, dmarc };
}

function scansOf({ scans }: ReceivedRow) {
  const { spam, virus } = scans ?? NOT_SCANNED;
  return { spam: { ...spam, symbols: [...spam.symbols] }, virus };
}

function plain(addresses: readonly WrittenAddress[] = []) {
  return addresses.map(({ email, name }) => ({ email, name }));
}

export function conversationView(items: readonly ConversationItem[]) {
  return items.map(({ id, kind, subject, from, at }) => ({ id, kind, subject: subject ?? '', from, at }));
}

export function routeView(route: InboundRoute) {
  const { id, description, enabled, created_at } = route;
  return { id, address: addressOfRoute(route), description, enabled, created_at };
}

export function receivingNameView(row: ReceivingName, expected: string) {
  const { name, domain_id, is_verified, mx_check, checked_at, created_at } = row;
  return {
    domain: name,
    domain_id,
    is_verified,
    mx: {
      type: 'MX' as const,
      name,
      expected,
      status: mx_check?.status ?? ('pending' as const),
      found: [...(mx_check?.found ?? [])],
      message: mx_check?.message ?? 'Not checked yet.',
      checked_at,
    },
    created_at,
  };
}
