/** Runs all checks of a captured message. */

import type { ParsedMessage } from '../protocols/message/reading/parsed-message.ts';
import { inTurns, type SlicedWork } from '../runtime/sliced-work.ts';
import { type MessageFinding, makingFindings } from './check-content.ts';
import { checkingHtml, type HtmlCheck } from './check-html.ts';
import { findingLinks, type MessageLink } from './links.ts';

export interface MessageChecks {
  readonly size: {
    readonly message: number;
    readonly html: number;
    readonly text: number;
    readonly attachments: number;
  };
  readonly findings: readonly MessageFinding[];
  readonly links: readonly MessageLink[];
  /** Null without HTML. */
  readonly html: HtmlCheck | null;
}

/** In time slices: large HTML takes 0.1 s. */
export function checkMessage(size: number, parsed: ParsedMessage): Promise<MessageChecks> {
  return inTurns(checkingMessage(size, parsed));
}

function* checkingMessage(size: number, parsed: ParsedMessage): SlicedWork<MessageChecks> {
  const { subject, html, text, headers, attachments } = parsed;
  const links = yield* findingLinks(parsed);
  return {
    size: {
      message: size,
      html: Buffer.byteLength(html ?? ''),
      text: Buffer.byteLength(text ?? ''),
      attachments: attachments.reduce((sum, one) => sum + one.size, 0),
    },
    findings: yield* makingFindings({ size, subject, html, text, headers, attachments, links }),
    links,
    html: html === null ? null : yield* checkingHtml(html),
  };
}

interface ContentChecks extends Pick<MessageChecks, 'findings' | 'links' | 'html'> {
  readonly size: Pick<MessageChecks['size'], 'html' | 'text'>;
}

/** These findings need a complete message with headers and encoded parts. */
const OF_MESSAGES = new Set(['no_unsubscribe', 'message_large']);

/** Checks content that is not composed yet. */
export function checkContent(content: CheckedContent): Promise<ContentChecks> {
  return inTurns(checkingContent(content));
}

interface CheckedContent {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

function* checkingContent({ subject, html, text }: CheckedContent): SlicedWork<ContentChecks> {
  const parts = { html: html === '' ? null : html, text: text === '' ? null : text };
  const parsed = { subject, ...parts, headers: [], attachments: [] };
  const size = { html: Buffer.byteLength(html), text: Buffer.byteLength(text) };
  const links = yield* findingLinks(parts);
  const findings = yield* makingFindings({ size: size.html + size.text, links, ...parsed });
  return {
    size,
    findings: findings.filter(({ kind }) => !OF_MESSAGES.has(kind)),
    links,
    html: parts.html === null ? null : yield* checkingHtml(parts.html),
  };
}
