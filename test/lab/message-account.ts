/** Holds a message as it lay in the mailbox against what was sent. Every function returns what is wrong, in words. */
import type { Attachment, Message } from './corpus.ts';
import { SENDER } from './hosts.ts';
import type { Address, Parsed, Part } from './parser.ts';

export interface Sent {
  readonly message: Message;
  readonly to: string;
  readonly cc: string | null;
  /** Not to be seen in any header. */
  readonly bcc: string | null;
  readonly emailId: string;
  readonly notBefore: Date;
}

export function harmOfMessage(sent: Sent, parsed: Parsed): string[] {
  return [...harmOfHeaders(sent, parsed), ...harmOfParts(sent.message, parsed)];
}

function harmOfHeaders({ message, to, cc, bcc, notBefore }: Sent, parsed: Parsed): string[] {
  const { body, fromName = '', toName = '' } = message;
  const reply = body.reply_to;
  const own = Object.entries(body.headers ?? {});
  return [
    ...differs('Subject', parsed.headers.subject, [body.subject]),
    ...differs('From', parsed.from, [[fromName, SENDER]] satisfies Address[]),
    ...differs('To', parsed.to, [[toName, to]] satisfies Address[]),
    ...differs('Cc', parsed.cc, cc === null ? [] : [['', cc]]),
    ...differs('Reply-To', parsed.reply_to, reply === undefined ? [] : [[reply.name ?? '', reply.email]]),
    ...own.flatMap(([name, value]) => differs(name, parsed.headers[name.toLowerCase()], [value])),
    ...(bcc !== null && writtenHeaders(parsed).includes(bcc) ? [`${bcc} of bcc stands in a header`] : []),
    ...(Date.parse(parsed.date) < notBefore.getTime() - 1_000 ? [`Date is ${parsed.date}, too early`] : []),
    ...harmOfUnsubscribe(body.unsubscribe_group, parsed),
    ...parsed.defects.map((defect) => `the parser finds: ${defect}`),
  ];
}

/** Without those that only the receiver writes, who knows the envelope. */
function writtenHeaders({ headers }: Parsed): string {
  const theirs = ['delivered-to', 'x-original-to', 'received', 'x-spamd-result'];
  return JSON.stringify(Object.entries(headers).filter(([name]) => !theirs.includes(name)));
}

/** RFC 8058: the link, the address beside it, and both under the signature. */
function harmOfUnsubscribe(group: string | undefined, { headers }: Parsed): string[] {
  const list = headers['list-unsubscribe']?.join() ?? '';
  if (group === undefined) return list === '' ? [] : ['it has a List-Unsubscribe that nobody asked for'];
  const signed = headers['dkim-signature']?.join().toLowerCase() ?? '';
  return [
    ...(/<https:\/\/[^>]+>/.test(list) && /<mailto:[^>]+>/.test(list) ? [] : [`List-Unsubscribe is ${list}`]),
    ...differs('List-Unsubscribe-Post', headers['list-unsubscribe-post'], ['List-Unsubscribe=One-Click']),
    ...(/list-unsubscribe:list-unsubscribe-post|list-unsubscribe-post:list-unsubscribe\b/.test(
      signed.replaceAll(/\s/g, ''),
    )
      ? []
      : ['List-Unsubscribe is not signed']),
  ];
}

function harmOfParts({ body, madeText }: Message, { parts, is_multipart }: Parsed): string[] {
  const bodies = parts.filter((part) => part.disposition === null);
  const files = parts.filter((part) => part.disposition !== null);
  const types = bodies.map(({ type }) => type);
  const expected = [
    ...(body.text !== undefined || body.text_from_html ? ['text/plain'] : []),
    ...(body.html === undefined ? [] : ['text/html']),
  ];
  return [
    ...differs('the bodies', types, expected),
    ...(madeText === undefined ? harmOfText(bodies, 'text/plain', body.text, is_multipart) : []),
    ...(madeText === undefined
      ? []
      : differs('the text made', octetsOf(bodies[0]).toString().trim(), madeText)),
    ...harmOfText(bodies, 'text/html', body.html, is_multipart),
    ...differs(
      'the files',
      files.map(({ filename }) => filename),
      (body.attachments ?? []).toSorted(inlineFirst).map(({ filename }) => filename),
    ),
    ...(body.attachments ?? []).flatMap((one) => harmOfFile(one, files)),
  ];
}

/** The html's own images come with it, before the files. */
function inlineFirst(a: Attachment, b: Attachment): number {
  return Number(b.content_id !== undefined) - Number(a.content_id !== undefined);
}

/** Line ends of text are the transport's matter, and so is the one that ends a message which is nothing but its text. */
function harmOfText(
  bodies: readonly Part[],
  type: string,
  text: string | undefined,
  isMultipart: boolean,
): string[] {
  if (text === undefined) return [];
  const got = bodies.find((part) => part.type === type);
  const octets = octetsOf(got).toString('utf8').replaceAll('\r\n', '\n');
  const expected = isMultipart || text.endsWith('\n') ? text : `${text}\n`;
  return octets === expected ? [] : [`${type} is not what was sent: ${beginning(octets, expected)}`];
}

function harmOfFile(file: Attachment, files: readonly Part[]): string[] {
  const got = files.find(({ filename }) => filename === file.filename);
  // Told by the list of names.
  if (got === undefined) return [];
  const isMessage = file.content_type === 'message/rfc822';
  const expected = Buffer.from(file.content, 'base64');
  const same = isMessage
    ? octetsOf(got).toString('latin1') === expected.toString('latin1').replaceAll('\r\n', '\n')
    : octetsOf(got).equals(expected);
  return [
    ...(same ? [] : [`${file.filename} is not octet for octet what was sent`]),
    ...differs(`the type of ${file.filename}`, got.type, file.content_type),
    ...differs(`the content id of ${file.filename}`, got.content_id, file.content_id ?? null),
  ];
}

function octetsOf(part: Part | undefined): Buffer {
  return Buffer.from(part?.content ?? '', 'base64');
}

function beginning(got: string, expected: string): string {
  let at = 0;
  while (got[at] === expected[at] && at < expected.length) at += 1;
  return `at ${at} ${JSON.stringify(got.slice(at, at + 30))}, not ${JSON.stringify(expected.slice(at, at + 30))}`;
}

function differs(what: string, got: unknown, expected: unknown): string[] {
  const [a, b] = [JSON.stringify(got), JSON.stringify(expected)];
  return a === b ? [] : [`${what} is ${a}, not ${b}`];
}
