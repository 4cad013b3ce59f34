/**
 * The fields that a signature covers (RFC 6376, section 5.4). Listing a name once more than it occurs closes
 * that field: adding another one in transit, such as a second From, breaks the signature.
 */

/** Closed even if missing: fields that readers see, act on or reply to. */
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
/** Closed only if present. If missing, relays are known to add them without harm. */
const CLOSED_IF_PRESENT = new Set(['content-transfer-encoding', 'feedback-id']);
/**
 * Fields that transports and receivers add, move or remove; and our own reference, which differs for each
 * recipient and has its own signature: without it the recipients of an email share one RSA operation.
 */
const NEVER =
  /^(?:return-path|received|comments|keywords|bcc|dkim-signature|authentication-results|arc-.*|x-postrider-ref)$/;
const CLOSED_PLACE = new Map(CLOSED.map((name, place) => [name.toLowerCase(), place]));

export type SignedFields = {
  /** The `h=` list. */
  readonly names: readonly string[];
  /** The fields in signing order: by name, and of one name the last field first. */
  readonly fields: readonly string[];
};

export function signedFields(headers: readonly string[]): SignedFields {
  const closed: (string[] | undefined)[] = [];
  const others = new Map<string, string[]>();
  for (const field of headers) {
    const lower = nameOf(field).toLowerCase();
    const place = CLOSED_PLACE.get(lower);
    if (place !== undefined) closed[place] = withLastFirst(closed[place], field);
    else if (!NEVER.test(lower)) others.set(lower, withLastFirst(others.get(lower), field));
  }
  const names: string[] = [];
  const fields: string[] = [];
  for (let place = 0; place < CLOSED.length; place += 1) {
    const name = CLOSED[place] as string;
    list(name, closed[place] ?? [], names, fields);
    names.push(name);
  }
  for (const [lower, occurrences] of others) {
    const name = nameOf(occurrences[0] as string);
    list(name, occurrences, names, fields);
    if (CLOSED_IF_PRESENT.has(lower)) names.push(name);
  }
  return { names, fields };
}

function withLastFirst(occurrences: string[] | undefined, field: string): string[] {
  return occurrences === undefined ? [field] : [field, ...occurrences];
}

function list(name: string, occurrences: readonly string[], names: string[], fields: string[]): void {
  for (const field of occurrences) {
    names.push(name);
    fields.push(field);
  }
}

function nameOf(field: string): string {
  const colon = field.indexOf(':');
  if (colon < 1) throw new Error('A header field without a name reached the signer');
  return field.slice(0, colon).trimEnd();
}
