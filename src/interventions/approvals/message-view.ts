/** The public form of a message that waits for approval. */
import type { Static } from 'typebox';
import { findingHiddenTexts } from '../../protocols/message/plain-text/hidden-text.ts';
import {
  type MessageOutline,
  type OutlinedPart,
  outliningFields,
} from '../../protocols/message/reading/message-outline.ts';
import { decodingCharset } from '../../protocols/message/reading/part-text.ts';
import { readingText, removingNul, sizing } from '../../protocols/message/reading/shown-message.ts';
import type { SlicedWork } from '../../runtime/sliced-work.ts';
import type { approvalMessage } from './message-schema.ts';

type ApprovalMessage = Static<typeof approvalMessage>;
type ApprovalPart = ApprovalMessage['parts'][number];

const READABLE = /^(?:text|message)\//;

export function* viewingMessage(
  size: number,
  { header, parts, outside }: MessageOutline,
  trackedLinks: readonly string[],
): SlicedWork<ApprovalMessage> {
  const views: ApprovalPart[] = [];
  for (const [number, part] of parts.entries()) views.push(yield* viewingPart(part, number));
  const texts: string[] = [];
  for (const bytes of outside) texts.push((yield* removingNul(yield* decodingCharset(bytes, ''))).trim());
  const headers = yield* outliningFields(header);
  return { size, headers, parts: views, outside: texts, tracked_links: [...trackedLinks] };
}

function* viewingPart(part: OutlinedPart, number: number): SlicedWork<ApprovalPart> {
  const { content, disposition, filename, contentId, isContainer, head } = part;
  const text = READABLE.test(content.type) && !isContainer ? yield* readingText(part) : null;
  return {
    number,
    content_type: content.type,
    disposition: disposition.type,
    filename,
    content_id: contentId,
    is_container: isContainer,
    size: yield* sizing(part),
    headers: yield* outliningFields(head),
    text,
    hidden_text: content.type === 'text/html' && text !== null ? yield* findingHiddenTexts(text) : [],
  };
}
