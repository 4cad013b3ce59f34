/**
 * Checks whether every program reads a message alike. A signature covers bytes, not what a reader sees: if
 * readers disagree about the sender or the content, one of them can be shown what was not signed. So
 * ambiguous messages are refused.
 */

import { inTurns } from '../../../runtime/sliced-work.ts';
import { badByte } from './bad-byte.ts';
import { shownProblem } from './clear-parts.ts';
import { senderProblem } from './clear-sender.ts';
import { type FieldBlock, MAX_VALUE, readFields } from './fields.ts';
import { MAX_HEADER_BYTES } from './header-block.ts';
import type { HeaderProblem } from './header-scan.ts';
import { splitting } from './split-message.ts';

/** RFC 5322, 3.6, and RFC 2045: each may occur once. Of two, a reader may choose either. */
const ONCE = new Map(
  [
    ...['From', 'Sender', 'Reply-To', 'To', 'Cc', 'Subject', 'Date'],
    ...['Content-Type', 'Content-Transfer-Encoding', 'Content-Disposition'],
  ].map((name) => [name.toLowerCase(), name]),
);
/** Readers keep a limited number of fields. */
const MAX_FIELDS = 300;

/** The ambiguity as a sentence; null without one. In time slices, because a message may have 25 MB. */
export async function ambiguityOf(raw: Buffer): Promise<string | null> {
  const problem = headerAmbiguity(readFields(raw, 0, raw.length));
  if (problem !== null) return problem;
  const { ambiguity, parts } = await inTurns(splitting(raw, raw.length));
  return ambiguity ?? shownProblem(parts) ?? (await badByte(raw));
}

function headerAmbiguity(block: FieldBlock): string | null {
  const { fields, scanned, next, problems } = block;
  const [problem] = problems;
  if (problem !== undefined) return PROBLEMS[problem.kind](problem.line);
  if (next > MAX_HEADER_BYTES || scanned.length > MAX_FIELDS)
    return `The header is longer than ${MAX_HEADER_BYTES / 1024} KiB or has more than ${MAX_FIELDS} fields.`;
  const seen = new Set<string>();
  for (const { name, valueAt, end } of scanned) {
    const written = ONCE.get(name);
    if (written === undefined) continue;
    if (seen.has(name)) return `The header has ${written} more than once.`;
    if (end - valueAt > MAX_VALUE) return `The header has a ${written} of more than ${MAX_VALUE} octets.`;
    seen.add(name);
  }
  return senderProblem(fields.get('from') ?? '');
}

const PROBLEMS: Readonly<Record<HeaderProblem['kind'], (line: number) => string>> = {
  line_end: (line) => `Line ${line} of the header does not end with CRLF.`,
  no_field: (line) => `Line ${line} of the header is no field.`,
  space_before_colon: (line) => `Line ${line} of the header has white space before the colon.`,
  blank_fold: (line) => `Line ${line} of the header is blank, but not empty.`,
  unended: () => 'No empty line ends the header.',
  too_long: () => 'The header is longer than is read.',
};
