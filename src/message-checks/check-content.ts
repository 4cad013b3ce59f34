/** Problems of a message for receivers and readers: size, subject, links, files. Pure. */

import { attribute, htmlTokens } from '../protocols/message/plain-text/tokens.ts';
import type { SlicedWork } from '../runtime/sliced-work.ts';
import { MAX_CHECKED_CHARS } from './check-html.ts';
import { type HostName, hostsDiffer, type MessageLink } from './links.ts';

export const FINDING_SEVERITIES = ['warning', 'info'] as const;

export interface MessageFinding {
  readonly kind: string;
  readonly severity: (typeof FINDING_SEVERITIES)[number];
  /** A readable sentence with advice. */
  readonly message: string;
}

export interface CheckedMessage {
  readonly size: number;
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly attachments: readonly { readonly filename: string | null; readonly size: number }[];
  readonly links: readonly MessageLink[];
}

/** Gmail truncates longer messages and links to the rest. */
const CLIPPED_BYTES = 102 * 1024;
/** Many servers refuse messages from this size on. */
const LARGE_BYTES = 10 * 1024 * 1024;
const LONG_SUBJECT_CHARS = 78;
const DANGEROUS = /\.(?:exe|scr|bat|cmd|com|js|jse|vbs|vbe|wsf|jar|msi|ps1|lnk|hta|iso|img)$/i;
const SHORTENERS = /^(?:bit\.ly|tinyurl\.com|t\.co|goo\.gl|ow\.ly|is\.gd|buff\.ly|rebrand\.ly|cutt\.ly)$/i;
const PLACEHOLDER = /\{\{[^{}]{1,100}\}\}|\[\[[^[\]]{1,100}\]\]|%[A-Z_]{3,40}%/;
const MAX_NAMED = 3;
const TOKENS_PER_STEP = 500;

export function* makingFindings(message: CheckedMessage): SlicedWork<MessageFinding[]> {
  const images = yield* imagesOf(message.html ?? '');
  return [
    ...aboutSize(message),
    ...aboutSubject(message),
    ...aboutParts(message, images),
    ...aboutLinks(message),
  ];
}

function aboutSize({ size, html, attachments }: CheckedMessage): MessageFinding[] {
  const htmlBytes = Buffer.byteLength(html ?? '');
  const dangerous = attachments.flatMap(({ filename }) =>
    DANGEROUS.test(filename ?? '') ? [String(filename)] : [],
  );
  return [
    ...when(
      htmlBytes > CLIPPED_BYTES,
      'warning',
      'html_clipped',
      `The HTML is ${kilobytes(htmlBytes)} KB: Gmail shows only the first 102 KB, and a link to the rest. Shorten it.`,
    ),
    ...when(
      size > LARGE_BYTES,
      'warning',
      'message_large',
      `The message is ${kilobytes(size)} KB: many servers refuse more than 10 MB. Link to files instead of attaching them.`,
    ),
    ...when(
      dangerous.length > 0,
      'warning',
      'file_refused',
      `Most servers refuse files like ${named(dangerous)}. Link to them instead.`,
    ),
  ];
}

function aboutSubject({ subject, html, text }: CheckedMessage): MessageFinding[] {
  const letters = subject.replace(/[^\p{L}]/gu, '');
  const isShouted =
    letters.length > 6 && letters === letters.toUpperCase() && letters !== letters.toLowerCase();
  const left = [subject, text ?? '', html ?? '']
    .map((one) => PLACEHOLDER.exec(one.slice(0, 200_000))?.[0])
    .find(Boolean);
  return [
    ...when(
      subject.trim() === '',
      'warning',
      'subject_empty',
      'There is no subject: filters take that for spam.',
    ),
    ...when(
      subject.length > LONG_SUBJECT_CHARS,
      'info',
      'subject_long',
      `The subject has ${subject.length} characters; phones show about 40.`,
    ),
    ...when(isShouted, 'warning', 'subject_shouts', 'The subject is all in capitals, which filters dislike.'),
    ...when(
      /!{2,}|\?{3,}/.test(subject),
      'warning',
      'subject_shouts',
      'The subject has several exclamation or question marks in a row, which filters dislike.',
    ),
    ...when(
      left !== undefined,
      'warning',
      'placeholder_left',
      `${left} is still there: a variable was not filled in.`,
    ),
  ];
}

function aboutParts({ html, text, headers }: CheckedMessage, counts: ImageCounts): MessageFinding[] {
  const has = (name: string) => headers.some((header) => header.name.toLowerCase() === name);
  const { images, withoutAlt } = counts;
  const words = (text ?? '').trim().length;
  return [
    ...when(
      html !== null && words === 0,
      'warning',
      'text_missing',
      'There is no text part: some filters and readers want one.',
    ),
    ...when(
      images > 0 && words < 100,
      'warning',
      'mostly_images',
      'It is almost only images: filters dislike that, and without images it says nothing.',
    ),
    ...when(
      withoutAlt > 0,
      'info',
      'images_without_alt',
      `${withoutAlt === 1 ? 'One image has' : `${withoutAlt} images have`} no alt text: readers without images, and those who listen, miss it.`,
    ),
    ...when(
      !has('list-unsubscribe'),
      'info',
      'no_unsubscribe',
      'There is no List-Unsubscribe header. Receipts and codes need none; newsletters must have one.',
    ),
  ];
}

interface ImageCounts {
  readonly images: number;
  readonly withoutAlt: number;
}

function* imagesOf(html: string): SlicedWork<ImageCounts> {
  let images = 0;
  let withoutAlt = 0;
  let tokens = 0;
  for (const token of htmlTokens(html.slice(0, MAX_CHECKED_CHARS))) {
    tokens += 1;
    if (token === null || tokens % TOKENS_PER_STEP === 0) yield;
    if (token?.kind !== 'open' || token.name !== 'img') continue;
    images += 1;
    if (attribute(token.attributes, 'alt') === null) withoutAlt += 1;
  }
  return { images, withoutAlt };
}

function aboutLinks({ links }: CheckedMessage): MessageFinding[] {
  const hosts = links.flatMap(({ url, text }) => {
    const host = hostOf(url);
    return host === null ? [] : [{ url, text, host }];
  });
  const plain = hosts.filter(
    ({ url, host }) => /^http:/i.test(url) && host !== 'localhost' && !host.startsWith('127.'),
  );
  const numbers = hosts.filter(({ host }) => /^[\d.]+$|^\[/.test(host) && !host.startsWith('127.'));
  const short = hosts.filter(({ host }) => SHORTENERS.test(host));
  const other = hosts.filter(({ text, host }) => text !== null && hostsDiffer(text, host));
  const urls = (list: readonly { url: string }[]) => named(list.map(({ url }) => url));
  return [
    ...when(
      other.length > 0,
      'warning',
      'link_elsewhere',
      `A link shows one address and leads to another, as in phishing: ${urls(other)}`,
    ),
    ...when(
      numbers.length > 0,
      'warning',
      'link_to_number',
      `A link leads to a number instead of a name: ${urls(numbers)}`,
    ),
    ...when(
      short.length > 0,
      'warning',
      'link_shortened',
      `Shortened links are blocked by many filters: ${urls(short)}`,
    ),
    ...when(plain.length > 0, 'info', 'link_unencrypted', `Not https: ${urls(plain)}`),
  ];
}

function hostOf(url: string): HostName | null {
  return URL.canParse(url) ? new URL(url).hostname : null;
}

function when(
  is: boolean,
  severity: MessageFinding['severity'],
  kind: string,
  message: string,
): MessageFinding[] {
  return is ? [{ kind, severity, message }] : [];
}

function named(list: readonly string[]): string {
  const shown = list.slice(0, MAX_NAMED).map((one) => one.slice(0, 100));
  return `${shown.join(', ')}${list.length > MAX_NAMED ? ` and ${list.length - MAX_NAMED} more` : ''}`;
}

function kilobytes(bytes: number): string {
  return Math.ceil(bytes / 1024).toLocaleString('en');
}
