/** The links of ours in mail, and the position of the open pixel in html. Pure. */

import type { SlicedWork } from '../../runtime/sliced-work.ts';
import type { Redirect } from './links/html-links.ts';
import { searching, searchingBack } from './links/long-search.ts';
import type { DeliveryRef } from './return-path.ts';
import {
  clickTokens,
  encodeOpenToken,
  encodeUnsubscribeToken,
  type UnsubscribeRef,
} from './tracking-token.ts';

export interface TrackingLinks {
  readonly key: Buffer;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** The customer's own tracking host, used instead of `publicUrl`. */
  readonly host?: LinkHost | null;
  /** The host that receives mail to unsubscribe; null when it cannot be reached. */
  readonly mailHost?: string | null;
}

/** A customer's host, and the base URL of links on it. */
export interface LinkHost {
  readonly name: string;
  readonly url: string;
}

export const PIXEL_PATH = '/t/o/';
export const PIXEL_SUFFIX = '.gif';
export const CLICK_PATH = '/t/c/';
export const UNSUBSCRIBE_PATH = '/u/';
/** The path under which this installation proves that a host points to it. */
export const HOST_PATH = '/t/h/';
export const UNSUBSCRIBE_MAILBOX = 'unsubscribe';
const UNSUBSCRIBE_SUBJECT = 'unsubscribe:';
/** Finds a token in a mail's subject; mail programs fold lines, and add prefixes. */
const TOKEN_IN_SUBJECT = /unsubscribe:([A-Za-z0-9_-]{62,1500})/i;
/** The composer's limit for one field. With a very long address, only the first link fits. */
const MAX_FIELD_CHARS = 800;

/**
 * Words for "unsubscribe" in addresses, in several languages. Leaving a link untracked by mistake is the
 * lesser harm.
 */
const TO_UNSUBSCRIBE =
  /un-?_?subscri|opt-?_?out|abmeld|abbestell|austrag|d(?:e|%c3%a9|é)s(?:abonn|inscri)|desuscri|cancelar-suscri|disiscri|afmeld|uitschrij|avmeld|avregistrer/i;

const COMMENT = '<!--';
const COMMENT_END = '-->';
const CLOSING_TAG = '</';
/** Requires the end of the tag's name: `</bodyguard>` is another tag. */
const AFTER_BODY = /^body[\s/>]/i;
const LOOKS_PER_STEP = 1_000;
/** Limit per mail, because more links would multiply its size. */
const MAX_TRACKED_LINKS = 10_000;

export function pixelUrl(links: TrackingLinks, ref: DeliveryRef): string {
  return `${beginningOf(links)}${PIXEL_PATH}${encodeOpenToken(ref, links.key)}${PIXEL_SUFFIX}`;
}

/**
 * Redirects the links of one delivery through our addresses. Our own links stay unchanged, as do links to
 * unsubscribe: those in the mail's header, whose white space is ignored (RFC 2369), and those with such a
 * word in their address. Links beyond the first 10,000 stay unchanged.
 */
export function clickRedirect(
  links: TrackingLinks,
  ref: DeliveryRef,
  listUnsubscribe: string | null,
): Redirect {
  const { key, publicUrl, host = null } = links;
  const tokenOf = clickTokens(ref, key, host?.name ?? null);
  const beginning = beginningOf(links);
  const own = [UNSUBSCRIBE_PATH, CLICK_PATH, PIXEL_PATH].flatMap((path) => [
    publicUrl + path,
    beginning + path,
  ]);
  const toUnsubscribe = addressesIn(listUnsubscribe ?? '');
  let left = MAX_TRACKED_LINKS;
  return (url) => {
    if (left === 0 || own.some((start) => url.startsWith(start))) return null;
    if (toUnsubscribe.has(url) || TO_UNSUBSCRIBE.test(url)) return null;
    left -= 1;
    return `${beginning}${CLICK_PATH}${tokenOf(url)}`;
  };
}

/** The addresses of a `List-Unsubscribe` header, in angle brackets. */
function addressesIn(field: string): ReadonlySet<string> {
  return new Set(
    Array.from(field.replace(/\s+/g, '').matchAll(/<([^<>]*)>/g), ([, address = '']) => address),
  );
}

export function unsubscribeUrl(links: TrackingLinks, ref: UnsubscribeRef): string {
  return `${beginningOf(links)}${UNSUBSCRIBE_PATH}${encodeUnsubscribeToken(ref, links.key)}`;
}

function beginningOf({ publicUrl, host }: TrackingLinks): string {
  return host?.url ?? publicUrl;
}

/** The token is in the subject, because it is too long for a local part. */
function unsubscribeMailto({ key, mailHost }: TrackingLinks, ref: UnsubscribeRef): string | null {
  if (mailHost == null) return null;
  const token = encodeUnsubscribeToken(ref, key);
  return `mailto:${UNSUBSCRIBE_MAILBOX}@${mailHost}?subject=${UNSUBSCRIBE_SUBJECT}${token}`;
}

export function tokenInSubject(subject: string): string | null {
  return TOKEN_IN_SUBJECT.exec(subject.replace(/\s+/g, ''))?.[1] ?? null;
}

/** RFC 8058 headers for one-click unsubscribe buttons, and RFC 2369 for clients that send a mail. */
export function unsubscribeHeaders(links: TrackingLinks, ref: UnsubscribeRef): [string, string][] {
  const web = `<${unsubscribeUrl(links, ref)}>`;
  const mail = unsubscribeMailto(links, ref);
  const both = mail === null ? web : `${web}, <${mail}>`;
  return [
    ['List-Unsubscribe', both.length > MAX_FIELD_CHARS ? web : both],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ];
}

/** Not hidden, because clients do not fetch hidden images. An empty `alt` keeps screen readers silent. */
export function pixelTag(url: string): string {
  return `<img src="${escapeAttribute(url)}" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">`;
}

/** Inserts before `</body>`, or at the end without one; nothing else changes. */
export function* insertingPixel(html: string, url: string): SlicedWork<string> {
  const at = yield* endOfBody(html);
  return html.slice(0, at) + pixelTag(url) + html.slice(at);
}

/**
 * The last `</body>` outside of comments. Searched from the end, where it usually is; every step continues
 * before the previous one, so the time is linear in the html's length.
 */
function* endOfBody(html: string): SlicedWork<number> {
  let from = html.length;
  for (let looks = 1; from > 0; looks += 1) {
    const at = yield* searchingBack(html, CLOSING_TAG, from);
    if (at === -1) break;
    from = at;
    if (looks % LOOKS_PER_STEP === 0) yield;
    if (!AFTER_BODY.test(html.slice(at + 2, at + 7))) continue;
    const comment = yield* searchingBack(html, COMMENT, at);
    if (comment === -1 || (yield* searching(html.slice(comment, at), COMMENT_END, 0)) !== -1) return at;
    from = comment;
  }
  return html.length;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
