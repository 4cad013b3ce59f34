/**
 * Which fields a signature covers (RFC 6376, section 5.4). A name listed once more than it occurs closes that
 * field: whoever adds another one on the way, say a second From for a reader to see, breaks the signature.
 */

/** Closed whether they occur or not: what a reader is shown, acts on or answers to. */
const CLOSED = [
  'From',
  'Subject',
  'To',
  'Date',
  'Message-ID',
  'Reply-To',
  'Cc',
  'MIME-Version',
  'Content-Type',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
];
/** Closed where they occur. Where they do not, relays are known to add one without doing harm. */
const CLOSED_IF_PRESENT = new Set(['content-transfer-encoding', 'feedback-id']);
/** Fields that transports and receivers write, move or drop as they like. */
const NEVER = /^(?:return-path|received|comments|keywords|bcc|dkim-signature|authentication-results|arc-.*)$/;
const CLOSED_LOWER = new Set(CLOSED.map((name) => name.toLowerCase()));

export type SignedFields = {
  /** The `h=` list. */
  readonly names: readonly string[];
  /** The fields in the order they are signed: by name, and of the same name the last one first. */
  readonly fields: readonly string[];
};

export function signedFields(headers: readonly string[]): SignedFields {
  const present = byName(headers);
  const names: string[] = [];
  const fields: string[] = [];
  for (const name of CLOSED) {
    for (const field of present.get(name.toLowerCase()) ?? []) {
      names.push(name);
      fields.push(field);
    }
    names.push(name);
  }
  for (const [lower, occurrences] of present) {
    if (CLOSED_LOWER.has(lower) || NEVER.test(lower)) continue;
    const [first = ''] = occurrences;
    const name = nameOf(first);
    for (const field of occurrences) {
      names.push(name);
      fields.push(field);
    }
    if (CLOSED_IF_PRESENT.has(lower)) names.push(name);
  }
  return { names, fields };
}

function byName(headers: readonly string[]): Map<string, string[]> {
  const present = new Map<string, string[]>();
  for (const field of headers) {
    const name = nameOf(field).toLowerCase();
    const others = present.get(name);
    if (others === undefined) present.set(name, [field]);
    else others.unshift(field);
  }
  return present;
}

function nameOf(field: string): string {
  const colon = field.indexOf(':');
  if (colon < 1) throw new Error('A header field without a name reached the signer');
  return field.slice(0, colon).trimEnd();
}
