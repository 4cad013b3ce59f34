/** Everything that is checked about a captured message. */
import type { ParsedMessage } from '../parsed-message.ts';
import { findingsOf, type MessageFinding } from './findings.ts';
import { checkHtml, type HtmlCheck } from './html-check.ts';
import { linksOf, type MessageLink } from './links.ts';

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

export function checkMessage(size: number, parsed: ParsedMessage): MessageChecks {
  const { subject, html, text, headers, attachments } = parsed;
  const links = linksOf(parsed);
  return {
    size: {
      message: size,
      html: Buffer.byteLength(html ?? ''),
      text: Buffer.byteLength(text ?? ''),
      attachments: attachments.reduce((sum, one) => sum + one.size, 0),
    },
    findings: findingsOf({ size, subject, html, text, headers, attachments, links }),
    links,
    html: html === null ? null : checkHtml(html),
  };
}

export interface ContentChecks extends Pick<MessageChecks, 'findings' | 'links' | 'html'> {
  readonly size: Pick<MessageChecks['size'], 'html' | 'text'>;
}

/** What only a message has is not asked of its content: headers, and what the parts become on the way. */
const OF_MESSAGES = new Set(['no_unsubscribe', 'message_large']);

/** The same of content that is no message yet. */
export function checkContent({
  subject,
  html,
  text,
}: {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}): ContentChecks {
  const parts = { html: html === '' ? null : html, text: text === '' ? null : text };
  const parsed = { subject, ...parts, headers: [], attachments: [] };
  const size = { html: Buffer.byteLength(html), text: Buffer.byteLength(text) };
  const links = linksOf(parts);
  const findings = findingsOf({ size: size.html + size.text, links, ...parsed });
  return {
    size,
    findings: findings.filter(({ kind }) => !OF_MESSAGES.has(kind)),
    links,
    html: parts.html === null ? null : checkHtml(parts.html),
  };
}
