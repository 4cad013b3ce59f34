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
