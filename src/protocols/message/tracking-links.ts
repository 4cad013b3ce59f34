/** The links of ours that mail carries, and where in html the pixel goes. Pure. */

import { atOnce, type SlicedWork } from '../../runtime/sliced-work.ts';
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
  /** Without a slash at its end. */
  readonly publicUrl: string;
  /** The customer's own, where the links are then, instead of at `publicUrl`. */
  readonly host?: LinkHost | null;
  /** Where mail to unsubscribe is taken; null where nobody could send it to us. */
  readonly mailHost?: string | null;
}

/** A host of a customer's, and the address that links on it begin with. */
export interface LinkHost {
  readonly name: string;
  readonly url: string;
}

export const PIXEL_PATH = '/t/o/';
export const PIXEL_SUFFIX = '.gif';
export const CLICK_PATH = '/t/c/';
export const UNSUBSCRIBE_PATH = '/u/';
/** Where this installation proves under a host that it is the one. */
export const HOST_PATH = '/t/h/';
export const UNSUBSCRIBE_MAILBOX = 'unsubscribe';
const UNSUBSCRIBE_SUBJECT = 'unsubscribe:';
/** Of a token in the subject of a mail; those who write it fold lines, and put things before it. */
const TOKEN_IN_SUBJECT = /unsubscribe:([A-Za-z0-9_-]{62,1500})/i;
/** What the composer takes for one field. An address may be so long that only the first link has room. */
const MAX_FIELD_CHARS = 800;

/** In an address, in the languages that senders write them in. One too many is left alone rather than one too few. */
const TO_UNSUBSCRIBE =
  /un-?_?subscri|opt-?_?out|abmeld|abbestell|austrag|d(?:e|%c3%a9|é)s(?:abonn|inscri)|desuscri|cancelar-suscri|disiscri|afmeld|uitschrij|avmeld|avregistrer/i;

const COMMENT = '<!--';
const COMMENT_END = '-->';
const CLOSING_TAG = '</';
/** What ends a tag's name: `</bodyguard>` is another one. */
const AFTER_BODY = /^body[\s/>]/i;
const LOOKS_PER_STEP = 1_000;
/** In a mail. More would make a multiple of its size of it; no mail that people read has so many. */
const MAX_TRACKED_LINKS = 10_000;

export function pixelUrl(links: TrackingLinks, ref: DeliveryRef): string {
  return `${beginningOf(links)}${PIXEL_PATH}${encodeOpenToken(ref, links.key)}${PIXEL_SUFFIX}`;
}

/**
 * What the links of one delivery become: addresses of ours that lead to theirs. Links of ours are left alone, and those to
 * unsubscribe: what the mail has in its header, whose white space means nothing (RFC 2369), and what says so in its address.
 * Behind the first 10,000 all are left alone.
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

/** Those of a `List-Unsubscribe`, which stand in angle brackets. */
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

/** The token stands in the subject: it is longer than the part before the @ may be. */
function unsubscribeMailto({ key, mailHost }: TrackingLinks, ref: UnsubscribeRef): string | null {
  if (mailHost == null) return null;
  const token = encodeUnsubscribeToken(ref, key);
  return `mailto:${UNSUBSCRIBE_MAILBOX}@${mailHost}?subject=${UNSUBSCRIBE_SUBJECT}${token}`;
}

/** The token that mail to unsubscribe brings back, if it is one. */
export function tokenInSubject(subject: string): string | null {
  return TOKEN_IN_SUBJECT.exec(subject.replace(/\s+/g, ''))?.[1] ?? null;
}

/** RFC 8058: what mail services need to offer a button that works with one click; RFC 2369 for those that write a mail. */
export function unsubscribeHeaders(links: TrackingLinks, ref: UnsubscribeRef): [string, string][] {
  const web = `<${unsubscribeUrl(links, ref)}>`;
  const mail = unsubscribeMailto(links, ref);
  const both = mail === null ? web : `${web}, <${mail}>`;
  return [
    ['List-Unsubscribe', both.length > MAX_FIELD_CHARS ? web : both],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ];
}

/** Not hidden: clients do not fetch what they will not show. An empty `alt` keeps it from being read out. */
export function pixelTag(url: string): string {
  return `<img src="${escapeAttribute(url)}" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">`;
}

/** Before `</body>`, or at the end where there is none; nothing else changes. */
export function insertPixel(html: string, url: string): string {
  return atOnce(insertingPixel(html, url));
}

/** The same for html of any size. */
export function* insertingPixel(html: string, url: string): SlicedWork<string> {
  const at = yield* endOfBody(html);
  return html.slice(0, at) + pixelTag(url) + html.slice(at);
}

/**
 * The last `</body>` that is not in a comment. Searched from the end, where it mostly is; every step goes on before
 * the one before it, so that no html takes longer than its length.
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
