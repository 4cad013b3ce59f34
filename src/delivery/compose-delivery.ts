/** The message and envelope of one delivery. */
import { parseAddress } from '../message/address.ts';
import { type ComposedMessage, composeMessage } from '../message/compose.ts';
import { REFERENCE_HEADER } from '../message/reference-header.ts';
import { encodeReference, returnPathOf } from '../message/return-path.ts';
import { insertPixel, pixelUrl, type TrackingLinks, unsubscribeHeaders } from '../message/tracking-links.ts';
import type { ClaimedDelivery } from '../outbox/states.ts';
import type { NamedAddress } from '../resources/emails/email.ts';
import type { DeliverableEmail } from '../resources/emails/store-delivery.ts';
import type { DerivedKeys } from '../runtime/key-ring.ts';
import type { Envelope } from '../smtp/facts.ts';

export interface ReturnPath {
  readonly key: Buffer;
  readonly host: string;
}

export interface ReturnPaths {
  readonly keys: Pick<DerivedKeys, 'at'>;
  readonly host: string;
  /** Where bounces of a sender's domain come back to, where that may be elsewhere. */
  readonly hostOf?: (fromDomain: string) => Promise<string>;
}

/** The return path of this email's sender. */
export async function returnPathFor(email: DeliverableEmail, paths: ReturnPaths): Promise<ReturnPath> {
  const key = paths.keys.at(email.createdAtMs);
  if (paths.hostOf === undefined) return { key, host: paths.host };
  return { key, host: await paths.hostOf(domainOf(email.from.email)) };
}

export interface LinkMaker {
  readonly keys: Pick<DerivedKeys, 'at'>;
  readonly publicUrl: string;
}

/** The key is that of the day on which the email was accepted, also when it is tried again after a change of keys. */
export function linksFor(email: DeliverableEmail, { keys, publicUrl }: LinkMaker): TrackingLinks {
  return { key: keys.at(email.createdAtMs), publicUrl };
}

/** Composed, and not signed yet. */
export interface ComposedDelivery {
  readonly envelope: Envelope;
  readonly message: ComposedMessage;
  readonly fromDomain: string;
  readonly dateMs: number;
}

/** The same bytes at every attempt: its time is that of the first one, and nothing depends on who composes it. */
export function composeDelivery(
  delivery: ClaimedDelivery,
  email: DeliverableEmail,
  returnPath: ReturnPath,
  links: TrackingLinks,
): ComposedDelivery {
  const fromDomain = domainOf(email.from.email);
  const { to, cc, reply_to: replyTo } = email.addresses;
  const reference = encodeReference(delivery, returnPath.key, delivery.expiresAtMs);
  const message = composeMessage({
    id: email.id,
    dateMs: delivery.firstAttemptAtMs,
    messageIdDomain: fromDomain,
    from: email.from,
    to,
    cc,
    replyTo,
    subject: email.subject,
    html: trackedHtml(delivery, email, links),
    text: email.text,
    headers: Object.entries(email.headers),
    serviceFields: [
      ...unsubscribing(delivery, email, links),
      ...feedbackId(delivery, email),
      [REFERENCE_HEADER, reference],
    ],
    attachments: email.attachments,
  });
  const visible = [email.from, ...to, ...cc, ...(replyTo ? [replyTo] : [])];
  return {
    envelope: {
      from: returnPathOf(reference, returnPath.host),
      to: email.recipient,
      smtpUtf8: needsSmtpUtf8([...visible, { email: email.recipient, name: null }]),
    },
    message,
    fromDomain,
    dateMs: delivery.firstAttemptAtMs,
  };
}

/** What is stored, and read back, stays as it was sent in; only what leaves has the pixel. */
function trackedHtml(
  delivery: ClaimedDelivery,
  email: DeliverableEmail,
  links: TrackingLinks,
): string | null {
  if (!email.trackOpens || email.html === null) return email.html;
  return insertPixel(email.html, pixelUrl(links, delivery));
}

function unsubscribing(
  { organizationId, emailId }: ClaimedDelivery,
  { unsubscribe, recipient: address }: DeliverableEmail,
  links: TrackingLinks,
): [string, string][] {
  return unsubscribe ? unsubscribeHeaders(links, { organizationId, emailId, address }) : [];
}

/**
 * Gmail counts complaints by each of these parts: the template, the kind of mail, the sender's domain, and last, of 5 to 15
 * characters, whose mail it is. The same for all recipients, and signed with the rest. Whoever sets the header has
 * numbers of their own.
 */
function feedbackId({ organizationId }: ClaimedDelivery, email: DeliverableEmail): [string, string][] {
  if (Object.keys(email.headers).some((name) => name.toLowerCase() === 'feedback-id')) return [];
  const sender = organizationId.replace(/^org_/, '');
  const what = `${email.template_id ?? 'single'}:transactional:${domainOf(email.from.email)}`;
  return [['Feedback-ID', `${what}:${sender}`]];
}

/** Names are encoded, addresses cannot be: one with a non-ASCII local part needs SMTPUTF8 all the way. */
function needsSmtpUtf8(addresses: readonly NamedAddress[]): boolean {
  return addresses.some(({ email }) => /[^\x20-\x7e]/.test(email));
}

export function domainOf(email: string): string {
  const parsed = parseAddress(email);
  if (!parsed.ok) throw new Error('A stored sender address does not parse.');
  return parsed.domain;
}
