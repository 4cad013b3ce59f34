/** The message and envelope of one delivery. */

import { groupOf, repliesOf } from '../../emails/email.ts';
import type { DeliverableEmail } from '../../emails/store-delivery.ts';
import { STREAM_NAME, TRANSACTIONAL } from '../../emails/stream.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import { domainOf, type MailDomain } from '../../protocols/message/address.ts';
import { type ComposedMessage, composing } from '../../protocols/message/compose.ts';
import { redirectingLinks } from '../../protocols/message/links/html-links.ts';
import { redirectingTextLinks } from '../../protocols/message/links/text-links.ts';
import { encodeReference, REFERENCE_HEADER, returnPathOf } from '../../protocols/message/return-path.ts';
import { composingSubmitted, submittedField } from '../../protocols/message/submitted.ts';
import {
  clickRedirect,
  insertingPixel,
  type LinkHost,
  pixelUrl,
  type TrackingLinks,
  unsubscribeHeaders,
} from '../../protocols/message/tracking-links.ts';
import { DEFAULT_GROUP } from '../../protocols/message/tracking-token.ts';
import type { Envelope } from '../../protocols/smtp/facts.ts';
import type { DerivedKeys } from '../../runtime/key-ring.ts';
import type { SlicedWork } from '../../runtime/sliced-work.ts';
import type { Utf8Address } from '../facts.ts';

interface ReturnPath {
  readonly key: Buffer;
  readonly host: string;
}

export interface ReturnPaths {
  readonly keys: Pick<DerivedKeys, 'at'>;
  readonly host: string;
  /** The host that bounces of a sender's domain return to, where a domain may have its own. */
  readonly hostOf?: (fromDomain: MailDomain) => Promise<string>;
}

/** The return path of this email's sender. */
export async function returnPathFor(email: DeliverableEmail, paths: ReturnPaths): Promise<ReturnPath> {
  const key = paths.keys.at(email.createdAtMs);
  if (paths.hostOf === undefined) return { key, host: paths.host };
  return { key, host: await paths.hostOf(domainOf(email.from.email)) };
}

export interface LinkMaker {
  readonly keys: Pick<DerivedKeys, 'at'>;
  /** Null where recipients cannot reach this installation: mail is sent without links. */
  readonly publicUrl: string | null;
  /** The host that accepts mail to unsubscribe; null where none does. */
  readonly mailHost?: string | null;
  /** The tracking host of a sender's domain; null where the domain has none. */
  readonly hostOf?: (organizationId: string, fromDomain: MailDomain) => Promise<LinkHost | null>;
}

/** The key is that of the day of acceptance, so that a retry after a key rotation makes the same links. */
export async function linksFor(
  email: DeliverableEmail,
  { organizationId }: Pick<ClaimedDelivery, 'organizationId'>,
  { keys, publicUrl, mailHost = null, hostOf }: LinkMaker,
): Promise<TrackingLinks | null> {
  if (publicUrl === null || !hasLinks(email)) return null;
  const host = (await hostOf?.(organizationId, domainOf(email.from.email))) ?? null;
  return { key: keys.at(email.createdAtMs), publicUrl, host, mailHost };
}

function hasLinks({ trackOpens, unsubscribe, options }: DeliverableEmail): boolean {
  return trackOpens || unsubscribe || options.track_clicks !== undefined;
}

/** A composed message that is not signed yet. */
interface UnsignedMessage {
  readonly envelope: Envelope;
  readonly message: ComposedMessage;
  readonly fromDomain: MailDomain;
  readonly dateMs: number;
  /** The address that needs a server with SMTPUTF8. */
  readonly utf8Address: Utf8Address | null;
  /** Only addresses in To and Cc need SMTPUTF8, and those can be written in ASCII. */
  readonly hasAsciiForm: boolean;
}

/** `own`: as submitted. `ascii`: with an ASCII header, for a server without SMTPUTF8. */
export type Form = 'own' | 'ascii';

/** Every attempt composes the same bytes: the date is that of the first attempt, and nothing depends on the worker. */
export function* composeDelivery(
  delivery: ClaimedDelivery,
  email: DeliverableEmail,
  returnPath: ReturnPath,
  links: TrackingLinks | null,
  form: Form = 'own',
): SlicedWork<UnsignedMessage> {
  const fromDomain = domainOf(email.from.email);
  const { to, cc } = email.addresses;
  const reference = encodeReference(delivery, returnPath.key, delivery.expiresAtMs);
  const own = {
    id: email.id,
    dateMs: delivery.firstAttemptAtMs,
    messageIdDomain: fromDomain,
    serviceFields: [
      ...unsubscribing(delivery, email, links),
      feedbackId(delivery, email),
      [REFERENCE_HEADER, reference] as const,
    ],
  };
  const { inHtml, inText } = tracking(delivery, email, links);
  const { mime, html, text } = email;
  const message =
    mime !== null
      ? yield* composingSubmitted({ mime, inHtml, inText, ...own })
      : yield* composing({
          from: email.from,
          to,
          cc,
          replyTo: repliesOf(email.addresses),
          subject: email.subject,
          html: html === null || inHtml === null ? html : yield* inHtml(html),
          text: text === null || inText === null ? text : yield* inText(text),
          headers: Object.entries(email.headers).filter(([name]) => name.toLowerCase() !== FEEDBACK_ID),
          attachments: email.attachments,
          inAscii: form === 'ascii',
          ...own,
        });
  const utf8Address = firstUtf8Address(email, form);
  return {
    envelope: envelopeOf(email, returnPathOf(reference, returnPath.host), utf8Address !== null),
    message,
    fromDomain,
    dateMs: delivery.firstAttemptAtMs,
    utf8Address,
    hasAsciiForm: mime === null && utf8Address?.whose === 'other_recipient',
  };
}

function envelopeOf({ recipient, options }: DeliverableEmail, from: string, smtpUtf8: boolean): Envelope {
  return { from, to: recipient, smtpUtf8, tls: options.tls };
}

type Change = (content: string) => SlicedWork<string>;

interface Tracking {
  readonly inHtml: Change | null;
  readonly inText: Change | null;
}

const UNTRACKED: Tracking = { inHtml: null, inText: null };

/** The stored content stays as submitted. Only the message that is sent has the pixel and the tracked links. */
function tracking(delivery: ClaimedDelivery, email: DeliverableEmail, links: TrackingLinks | null): Tracking {
  const { trackOpens, options } = email;
  const clicks = options.track_clicks;
  if (links === null || (!trackOpens && clicks === undefined)) return UNTRACKED;
  const withPixel: Change = (html) => insertingPixel(html, pixelUrl(links, delivery));
  if (clicks === undefined) return { inHtml: withPixel, inText: null };
  const redirect = clickRedirect(links, delivery, ownField(email, 'list-unsubscribe'));
  return {
    inHtml: function* (html) {
      const redirected = yield* redirectingLinks(html, redirect);
      return trackOpens ? yield* withPixel(redirected) : redirected;
    },
    inText: clicks === 'html_and_text' ? (text) => redirectingTextLinks(text, redirect) : null,
  };
}

/** The header field that the sender has set, by its name in lower case. */
export function ownField({ mime, headers }: DeliverableEmail, field: string): string | null {
  if (mime !== null) return submittedField(mime, field);
  const name = Object.keys(headers).find((one) => one.toLowerCase() === field);
  return name === undefined ? null : (headers[name] ?? null);
}

function unsubscribing(
  { organizationId, emailId }: ClaimedDelivery,
  { unsubscribe, unsubscribeGroup, recipient: address }: DeliverableEmail,
  links: TrackingLinks | null,
): [string, string][] {
  if (!unsubscribe || links === null) return [];
  const group = unsubscribeGroup ?? DEFAULT_GROUP;
  return unsubscribeHeaders(links, { organizationId, emailId, address, group });
}

/**
 * Gmail counts complaints by each part of the Feedback-ID: the campaign, the kind of mail, the sender's domain, and last, in 5
 * to 15 characters, the sender. The field is the same for all recipients and is signed. A sender may set the first three parts
 * with a Feedback-ID of its own. The last part is always ours: otherwise an organization could cause complaints for another.
 */
function feedbackId({ organizationId }: ClaimedDelivery, email: DeliverableEmail): [string, string] {
  const sender = organizationId.replace(/^org_/, '');
  const own = freeParts(ownField(email, FEEDBACK_ID));
  if (own !== '') return ['Feedback-ID', `${own}:${sender}`];
  const { campaign, kind } = campaignOf(email);
  return ['Feedback-ID', `${campaign}:${kind}:${domainOf(email.from.email)}:${sender}`];
}

const FEEDBACK_ID = 'feedback-id';
const MAX_FREE_PARTS = 3;
const MAX_PART_CHARS = 100;

/** The parts of the sender's own Feedback-ID before the last part; an empty string where there are none. */
function freeParts(given: string | null): string {
  const parts = (given ?? '').split(':').slice(0, -1).slice(0, MAX_FREE_PARTS);
  const written = parts.map((part) => part.replace(/[^!-~]/g, '').slice(0, MAX_PART_CHARS));
  return written.every((part) => part === '') ? '' : written.join(':');
}

/** The kind is the stream, where the mail is in a stream. Then the unsubscribe group may distinguish campaigns. */
function campaignOf(email: DeliverableEmail): { readonly campaign: string; readonly kind: string } {
  const group = groupOf(email);
  const { stream } = email;
  // A sender may have named the stream in a tag, with any text.
  if (stream === null || !STREAM_NAME.test(stream))
    return { campaign: email.template_id ?? 'single', kind: group ?? TRANSACTIONAL };
  return { campaign: email.template_id ?? (group === stream ? null : group) ?? 'single', kind: stream };
}

/**
 * Display names and domains can be encoded in ASCII. The part before the @ cannot, so such an address needs SMTPUTF8. The
 * addresses that cannot be left out come first: those of the recipient, the sender and the replies.
 */
function firstUtf8Address({ recipient, from, addresses }: DeliverableEmail, form: Form): Utf8Address | null {
  const { to, cc } = addresses;
  const others = form === 'ascii' ? [] : [...to, ...cc];
  const candidates: Utf8Address[] = [
    { whose: 'recipient', email: recipient },
    { whose: 'sender', email: from.email },
    ...repliesOf(addresses).map(({ email }) => ({ whose: 'reply_to' as const, email })),
    ...others.map(({ email }) => ({ whose: 'other_recipient' as const, email })),
  ];
  return candidates.find(({ email }) => /[^\x20-\x7e]/.test(email)) ?? null;
}
