/** The links of a message in order, without duplicates. Pure. */

import { getDomain } from 'tldts';
import { attribute, htmlTokens } from '../protocols/message/plain-text/tokens.ts';
import type { SlicedWork } from '../runtime/sliced-work.ts';
import { MAX_CHECKED_CHARS } from './check-html.ts';

export interface MessageLink {
  readonly url: string;
  /** The visible text of the link; null in plain text. */
  readonly text: string | null;
}

const MAX_LINKS = 100;
const MAX_TEXT_CHARS = 200;
const TOKENS_PER_STEP = 500;
const PLAIN = /https?:\/\/[^\s<>"')\]]{1,2048}/gi;

interface LinkingContent {
  readonly html: string | null;
  readonly text: string | null;
}

export function* findingLinks({ html, text }: LinkingContent): SlicedWork<MessageLink[]> {
  const found = new Map<string, MessageLink>();
  for (const link of html === null ? [] : linksInHtml(html.slice(0, MAX_CHECKED_CHARS))) {
    if (link === null) {
      yield;
      continue;
    }
    if (!found.has(link.url)) found.set(link.url, link);
    if (found.size === MAX_LINKS) return [...found.values()];
  }
  for (const [url] of (text ?? '').slice(0, MAX_CHECKED_CHARS).matchAll(PLAIN)) {
    if (!found.has(url)) found.set(url, { url, text: null });
    if (found.size === MAX_LINKS) break;
  }
  return [...found.values()];
}

/** Yields null as a pause. */
function* linksInHtml(html: string): Generator<MessageLink | null> {
  let open: { url: string; text: string } | null = null;
  let tokens = 0;
  for (const token of htmlTokens(html)) {
    tokens += 1;
    if (token === null || tokens % TOKENS_PER_STEP === 0) yield null;
    if (token === null) continue;
    if (token.kind === 'text') {
      if (open !== null && open.text.length < MAX_TEXT_CHARS) open.text += token.text;
    } else if (token.name === 'a') {
      if (open !== null) yield finished(open);
      const url = token.kind === 'open' ? attribute(token.attributes, 'href') : null;
      open = url === null || !/^https?:/i.test(url) ? null : { url: url.trim(), text: '' };
    }
  }
  if (open !== null) yield finished(open);
}

function finished({ url, text }: { url: string; text: string }): MessageLink {
  return { url, text: text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT_CHARS) };
}

/** Whether a link's text names another site than its target. Pure. */
export type HostName = string;

const SHOWN_HOST = /^(?:https?:\/\/)?((?:[a-z0-9-]{1,63}\.)+[a-z]{2,63})(?:[/:?#]|$)/i;

/** `text` is visible to the reader; only text that looks like an address can deceive. */
export function hostsDiffer(text: string, host: HostName): boolean {
  const shown = SHOWN_HOST.exec(text.trim())?.[1];
  if (shown === undefined) return false;
  const site = getDomain(shown);
  return site !== null && site !== getDomain(host);
}
