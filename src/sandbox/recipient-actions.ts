/**
 * Performs a recipient's action on a captured message for a test: open, click, unsubscribe, complain, reply;
 * or, for the recipient's server, a late bounce. All actions use the public endpoints: HTTP at the public
 * address, and SMTP to the receiver.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { findingLinks } from '../message-checks/links.ts';
import { type ParsedMessage, parseMessage } from '../protocols/message/reading/parsed-message.ts';
import {
  CLICK_PATH,
  PIXEL_PATH,
  PIXEL_SUFFIX,
  UNSUBSCRIBE_PATH,
} from '../protocols/message/tracking-links.ts';
import type { Clock } from '../runtime/clock.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { inTurns } from '../runtime/sliced-work.ts';
import { READING_MS, requestOurs } from './open-pixel.ts';
import type { ReturnMail } from './report-messages.ts';
import { complaint, lateBounce, recipientReply } from './report-messages.ts';
import type { FullMessageRow } from './store.ts';

export const RECIPIENT_ACTIONS = ['open', 'click', 'unsubscribe', 'bounce', 'complain', 'reply'] as const;
type RecipientAction = (typeof RECIPIENT_ACTIONS)[number];

interface RecipientActionsOptions {
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly clock: Clock;
  /** Throws when the receiver refuses the mail. */
  readonly sendBack: (mail: ReturnMail) => Promise<void>;
}

export interface RequestedAction {
  readonly action: RecipientAction;
  /** For a click. */
  readonly link?: string | undefined;
  /** For a reply. */
  readonly text?: string | undefined;
}

/** The target of a followed link; null for every other action. */
export interface ActionResult {
  readonly leadsTo: string | null;
}

const PIXEL = /https?:\/\/[^\s"'<>/]{1,255}\/t\/o\/[\w-]{1,4096}\.gif/gi;
const NOTHING: ActionResult = { leadsTo: null };

export class RecipientActions {
  readonly #options: RecipientActionsOptions;

  constructor(options: RecipientActionsOptions) {
    this.#options = options;
  }

  async act(message: FullMessageRow, asked: RequestedAction): Promise<ActionResult> {
    switch (asked.action) {
      case 'open':
        return this.#open(message, await parseMessage(message.raw));
      case 'click':
        return this.#click(message, await parseMessage(message.raw), asked.link);
      case 'unsubscribe':
        return this.#unsubscribe(await parseMessage(message.raw));
      case 'bounce':
        return this.#sendBack(lateBounce(deliveredOf(message), this.#options.clock.nowMs()));
      case 'complain':
        return this.#sendBack(complaint(deliveredOf(message), this.#options.clock.nowMs()));
      case 'reply':
        return this.#reply(message, await parseMessage(message.raw), asked.text);
    }
  }

  async #open(message: FullMessageRow, { html }: ParsedMessage): Promise<ActionResult> {
    const pixel = (html ?? '').match(PIXEL)?.at(-1);
    const path = pixel === undefined ? null : ourPath(pixel, PIXEL_PATH, PIXEL_SUFFIX);
    if (path === null) throw new ServiceError('CONFLICT', NOT_TRACKED);
    await this.#asIfRead(message);
    await this.#request(path);
    return NOTHING;
  }

  async #click(
    message: FullMessageRow,
    parsed: ParsedMessage,
    asked: string | undefined,
  ): Promise<ActionResult> {
    const links = await inTurns(findingLinks(parsed));
    const link = asked === undefined ? links[0] : links.find(({ url }) => url === asked);
    if (link === undefined) throw noSuchLink(asked);
    const path = ourPath(link.url, CLICK_PATH);
    // The link is not tracked.
    if (path === null) return { leadsTo: link.url };
    await this.#asIfRead(message);
    return { leadsTo: (await this.#request(path)).headers.get('location') };
  }

  async #unsubscribe({ headers }: ParsedMessage): Promise<ActionResult> {
    const header = headers.find(({ name }) => name.toLowerCase() === 'list-unsubscribe')?.value ?? '';
    const urls = [...header.matchAll(/<(https?:[^>]{1,4096})>/gi)].map(([, url = '']) => url);
    const path = urls.map((url) => ourPath(url, UNSUBSCRIBE_PATH)).find((one) => one !== null);
    if (path === undefined) throw new ServiceError('CONFLICT', NO_UNSUBSCRIBE);
    await this.#request(path, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    return NOTHING;
  }

  async #reply(
    { rcpt_to }: FullMessageRow,
    parsed: ParsedMessage,
    text = 'Thank you.',
  ): Promise<ActionResult> {
    const to = (parsed.addresses.reply_to[0] ?? parsed.addresses.from[0])?.email ?? '';
    if (!WRITABLE.test(to) || !WRITABLE.test(rcpt_to)) throw new ServiceError('CONFLICT', NOBODY_TO_ANSWER);
    return this.#sendBack(recipientReply({ to, from: rcpt_to, parsed, text }, this.#options.clock.nowMs()));
  }

  async #sendBack(mail: ReturnMail): Promise<ActionResult> {
    await this.#options.sendBack(mail);
    return NOTHING;
  }

  /** Waits, because an earlier open would be classified as automatic. */
  async #asIfRead({ received_at }: FullMessageRow): Promise<void> {
    await sleep(Math.max(0, received_at.getTime() + READING_MS - this.#options.clock.nowMs()));
  }

  async #request(path: string, init: RequestInit = {}): Promise<Response> {
    const { publicUrl } = this.#options;
    try {
      return await requestOurs(`${publicUrl}${path}`, init);
    } catch (error) {
      const message = `${publicUrl} cannot be reached from this server. Set POSTRIDER_PUBLIC_URL to the address of this installation.`;
      throw new ServiceError('CONFLICT', message, { cause: error });
    }
  }
}

/** Addresses that can be written into a command and a header unescaped. */
const WRITABLE = /^[^\s<>,;:"()\p{Cc}]+@[^\s<>,;:"()\p{Cc}]+$/u;
const NOBODY_TO_ANSWER =
  'The message has no address to reply to. Send a message with a From or Reply-To address.';
const NOT_TRACKED =
  'The message has no tracking pixel, so an open cannot be recorded. Send html with "track_opens": true.';
const NO_UNSUBSCRIBE =
  'The message has no List-Unsubscribe header of this installation. Send the email with "unsubscribe": true.';

function noSuchLink(asked: string | undefined): ServiceError {
  if (asked === undefined)
    return new ServiceError('CONFLICT', 'The message has no links. Send html or text with a link.');
  const problems = [{ field: 'link', message: 'is not a link of this message; its "links" lists the links' }];
  return new ServiceError('VALIDATION_ERROR', undefined, { problems });
}

/**
 * The path of one of our links, even on a customer's host. Only the token is taken from tenants' content, and
 * the request goes only to our own address.
 */
function ourPath(url: string, begin: string, end = ''): string | null {
  const path = URL.canParse(url) ? new URL(url).pathname : '';
  if (!path.startsWith(begin) || !path.endsWith(end)) return null;
  const token = path.slice(begin.length, path.length - end.length);
  return /^[\w-]{1,4096}$/.test(token) ? path : null;
}

function deliveredOf({ mail_from, rcpt_to, raw }: FullMessageRow) {
  return { returnPath: mail_from, recipient: rcpt_to, raw };
}
