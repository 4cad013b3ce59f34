/** Everything that is checked about a captured message. */
import { inTurns, type SlicedWork } from '../../kit/runtime/sliced-work.ts';
import type { ParsedMessage } from '../parsed-message.ts';
import { findingsSteps, type MessageFinding } from './findings.ts';
import { checkHtmlSteps, type HtmlCheck } from './html-check.ts';
import { linksSteps, type MessageLink } from './links.ts';

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

/** In turns: large html takes a tenth of a second. */
export function checkMessage(size: number, parsed: ParsedMessage): Promise<MessageChecks> {
  return inTurns(checkMessageSteps(size, parsed));
}

function* checkMessageSteps(size: number, parsed: ParsedMessage): SlicedWork<MessageChecks> {
  const { subject, html, text, headers, attachments } = parsed;
  const links = yield* linksSteps(parsed);
  return {
    size: {
      message: size,
      html: Buffer.byteLength(html ?? ''),
      text: Buffer.byteLength(text ?? ''),
      attachments: attachments.reduce((sum, one) => sum + one.size, 0),
    },
    findings: yield* findingsSteps({ size, subject, html, text, headers, attachments, links }),
    links,
    html: html === null ? null : yield* checkHtmlSteps(html),
  };
}

export interface ContentChecks extends Pick<MessageChecks, 'findings' | 'links' | 'html'> {
  readonly size: Pick<MessageChecks['size'], 'html' | 'text'>;
}

/** What only a message has is not asked of its content: headers, and what the parts become on the way. */
const OF_MESSAGES = new Set(['no_unsubscribe', 'message_large']);

/** The same of content that is no message yet. */
export function checkContent(content: CheckedContent): Promise<ContentChecks> {
  return inTurns(checkContentSteps(content));
}

interface CheckedContent {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

function* checkContentSteps({ subject, html, text }: CheckedContent): SlicedWork<ContentChecks> {
  const parts = { html: html === '' ? null : html, text: text === '' ? null : text };
  const parsed = { subject, ...parts, headers: [], attachments: [] };
  const size = { html: Buffer.byteLength(html), text: Buffer.byteLength(text) };
  const links = yield* linksSteps(parts);
  const findings = yield* findingsSteps({ size: size.html + size.text, links, ...parsed });
  return {
    size,
    findings: findings.filter(({ kind }) => !OF_MESSAGES.has(kind)),
    links,
    html: parts.html === null ? null : yield* checkHtmlSteps(parts.html),
  };
}
