/** Code that mail of strangers reaches: what the inbound process receives, verifies, reads and records. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import {
  MAX_REPORT_BYTES,
  MAX_UNPACKED_BYTES,
  readAggregate,
} from '../../src/inbound/aggregate/read-aggregate.ts';
import { interpretUnsubscribe } from '../../src/inbound/interpret.ts';
import { authenticateMail } from '../../src/inbound/received/authenticate.ts';
import { hopsOf } from '../../src/inbound/received/header-facts.ts';
import { MAX_RECEIVED_BYTES } from '../../src/inbound/received/limits.ts';
import { readReceived } from '../../src/inbound/received/read-received.ts';
import { readReport } from '../../src/inbound/report/read-report.ts';
import { KEPT_BYTES } from '../../src/inbound/smtp/inbound-dialogue.ts';
import { senderProblem } from '../../src/protocols/message/reading/ambiguity.ts';
import { badByte } from '../../src/protocols/message/reading/bad-byte.ts';
import { readContentType, readDisposition } from '../../src/protocols/message/reading/content-type.ts';
import { MAX_VALUE } from '../../src/protocols/message/reading/fields.ts';
import { fileNameIn } from '../../src/protocols/message/reading/file-name.ts';
import { decoding } from '../../src/protocols/message/reading/part-text.ts';
import { showing } from '../../src/protocols/message/reading/shown-message.ts';
import { MessageReader } from '../../src/protocols/smtp/server/message-reader.ts';
import { inTurns } from '../../src/runtime/sliced-work.ts';
import type { Subject } from './subject.ts';

type Shape = (bytes: number) => Buffer;

const FROM = 'From: a@example.org\r\n';

/** A message with that header, whose body is the unit again and again. */
function message(header: string, unit: string, tail = ''): Shape {
  const head = Buffer.from(`${FROM}${header}\r\n\r\n`, 'latin1');
  const end = Buffer.from(tail, 'latin1');
  return (bytes) => {
    const body = Buffer.alloc(Math.max(0, bytes - head.length - end.length), Buffer.from(unit, 'latin1'));
    return Buffer.concat([head, body, end]);
  };
}

const HTML = 'Content-Type: text/html';
const BASE64 = 'Content-Transfer-Encoding: base64';
const QUOTED = 'Content-Transfer-Encoding: quoted-printable';
const MIXED = 'Content-Type: multipart/mixed; boundary=b';
const NESTED = '--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n';
const BASE64_LINE = `${'QUJD'.repeat(19)}\r\n`;
const attachment = (encoding: string) =>
  `${MIXED}\r\n\r\n--b\r\nContent-Type: application/pdf\r\n${encoding}`;

const MESSAGES: Readonly<Record<string, Shape>> = {
  'a base64 attachment': message(attachment(BASE64), BASE64_LINE),
  'a base64 attachment without line ends': message(attachment(BASE64), 'QUJD'),
  'a quoted-printable attachment': message(attachment(QUOTED), '=41=42=\r\n'),
  'a base64 text': message(BASE64, BASE64_LINE),
  'a quoted-printable text of soft breaks': message(QUOTED, '=\r\n'),
  'a quoted-printable text of carriage returns': message(QUOTED, '=0D=0A'),
  'a quoted-printable text of NULs': message(QUOTED, '=00'),
  'a text in ISO-2022-JP': message('Content-Type: text/plain; charset=iso-2022-jp', '\x1b$B$"\x1b(B'),
  'a text in GB18030': message('Content-Type: text/plain; charset=gb18030', '\x81\x30\xa1\xfe'),
  'a text in UTF-16': message('Content-Type: text/plain; charset=utf-16le', '\x00\xd8'),
  'parts without content': message(MIXED, '--b\r\n\r\n'),
  'parts of one line': message(MIXED, `--b\r\nX: y\r\n\r\n${'z\r\n'.repeat(100_000)}`),
  'parts whose header does not end': message(MIXED, `--b\r\n${'z\r\n'.repeat(100_000)}`),
  'multiparts in multiparts': message(MIXED, NESTED),
  'multiparts that are closed and opened': message(MIXED, `${NESTED.replace('=b', '=c')}--c--\r\n`),
  'lines that begin like a delimiter': message(MIXED, '--c\r\n'),
  'one line behind a delimiter': message(MIXED, ' ', '\r\n--b'),
  'a delimiter with blanks behind it': message(`${MIXED}\r\n\r\n--b`, ' '),
  'header lines without a colon': (bytes) => Buffer.alloc(bytes, 'a\r\n'),
  'header fields of one letter': (bytes) => Buffer.alloc(bytes, 'a:\r\n'),
  'an endless field': (bytes) => Buffer.concat([Buffer.from('Subject: '), Buffer.alloc(bytes - 9, 'x')]),
  'quotes in a text': message('Subject: a', '> a\r\n'),
  'lines that almost announce a quote': message('Subject: a', `${'schreef '.repeat(15)}\r\n`),
  'lines that begin like a header': message('Subject: a', 'from:\r\n'),
  'rules and blank lines': message('Subject: a', `${'_'.repeat(30)}\r\n\r\n\r\n`),
  'one line of dashes': message('Subject: a', '-'),
  'one line of blanks': message('Subject: a', ' \t'),
  'html of tags': message(HTML, '<b>x</b>'),
  'html of list items': message(HTML, '<ul><li>x'),
  'html of links': message(HTML, '<a href="https://a.example/">x</a>'),
  'html of quotes': message(HTML, '<blockquote>x'),
  'html that hides': message(HTML, '<p style="display:none">x'),
  'html of entities': message(HTML, '&amp;'),
  'html of opened tags': message(HTML, '<a '),
  'html of comments': message(HTML, '<!--'),
  'addresses in every field': (bytes) =>
    message(
      ['From', 'To', 'Cc', 'Reply-To'].map((name) => `${name}: ${'a@\xc3\xa9.b,'.repeat(490)}`).join('\r\n'),
      'x',
    )(bytes),
};

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const KEY_RECORD = `v=DKIM1; p=${keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;

/** Over the header alone: the hash of the body is wrong, and only computing it shows that. */
function signature(form: string, isGood: boolean): string {
  const hash = createHash('sha256').update('another body').digest('base64');
  const own = `dkim-signature:v=1; a=rsa-sha256; c=relaxed/${form}; d=example.org; s=s; h=from; bh=${hash}; b=`;
  const bytes = sign('sha256', Buffer.from(`from:a@example.org\r\n${own}`), keys.privateKey);
  return `${own}${(isGood ? bytes : Buffer.alloc(256)).toString('base64')}\r\n`;
}

function signed(signatures: string, unit: string, header = 'Subject: a'): Shape {
  const make = message(header, unit);
  return (bytes) => Buffer.concat([Buffer.from(signatures), make(bytes - signatures.length)]);
}

const SIGNED: Readonly<Record<string, Shape>> = {
  'five bogus signatures': signed(signature('relaxed', false).repeat(5), 'a b\r\n'),
  'signatures in both forms': signed(signature('relaxed', true) + signature('simple', true), 'a  b \r\n'),
  'a signature over blanks': signed(signature('relaxed', true), ' \t'),
  'a signature over empty lines': signed(signature('relaxed', true) + signature('simple', true), '\r\n'),
  'a signature over blank lines': signed(signature('relaxed', true), ' \r\n'),
  'a signature of many tags': signed(`DKIM-Signature: ${'a=b;'.repeat(4_000)}\r\n`, 'x'),
  'a signature over many names': signed(
    `DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=s; bh=; b=; h=from${':x'.repeat(6_000)}\r\n`.repeat(
      5,
    ),
    'x',
  ),
};

const missing = async () => ({ kind: 'nxdomain' }) as const;
const resolver = {
  txt: async () => ({ kind: 'found', records: [KEY_RECORD] }) as const,
  ...{ a: missing, aaaa: missing, mx: missing, ptr: missing },
};

function authenticate(raw: Buffer) {
  const envelope = { mailFrom: 'a@example.org', helo: 'example.org', remoteAddress: '192.0.2.1' };
  return authenticateMail({ resolver, nowMs: Date.now }, { raw, ...envelope });
}

/** As a socket brings it. */
async function receive(raw: Buffer): Promise<unknown> {
  const reader = new MessageReader(MAX_RECEIVED_BYTES);
  for (let at = 0; at < raw.length; at += 65_536) {
    reader.take(raw.subarray(at, at + 65_536));
    await nextTurn();
  }
  return [hopsOf(reader.head()), await badByte(reader.head())];
}

async function everyFile(raw: Buffer): Promise<unknown> {
  const { files } = await inTurns(showing(raw));
  for (const { part } of files) await inTurns(decoding(part, part.body.length));
  return files.length;
}

const plain = (text: Buffer) => Buffer.concat([Buffer.from(`${FROM}Content-Type: text/xml\r\n\r\n`), text]);

/** Unpacked it is four times as large as asked for. It has some noise, so that it shrinks no more than reports do. */
function packed(head: string, unit: string, tail: string): Shape {
  return (size) => {
    const unpacked = (size / MAX_REPORT_BYTES) * MAX_UNPACKED_BYTES;
    const noise = `<!--${randomBytes(Math.ceil(unpacked / 220)).toString('hex')}-->`;
    const room = unpacked - head.length - noise.length - tail.length - unit.length;
    const filling = Buffer.alloc(room - (room % unit.length), unit);
    const bytes = gzipSync([head, filling.toString('latin1'), tail, noise].join(''), { level: 1 });
    return Buffer.from(
      `${FROM}Content-Type: application/gzip\r\n${BASE64}\r\n\r\n${bytes.toString('base64')}`,
    );
  };
}

const ROW = '<row><source_ip>192.0.2.1</source_ip><count>1</count></row>';
const REPORTS: Readonly<Record<string, Shape>> = {
  'a report of a million elements': packed('<feedback>', '<a>b</a>', '</feedback>'),
  'a report of empty elements': packed('<feedback>', '<a/>', '</feedback>'),
  'a report of records': packed('<feedback>', `<record>${ROW}</record>`, '</feedback>'),
  'a report of comments': packed('<feedback>', '<!---->', '</feedback>'),
  'a report in one comment': packed('<feedback><!--', '-', '</feedback>'),
  'a report of blanks': packed(' ', ' ', '<feedback/>'),
  'a report of entities': packed('<feedback>', '<a>&amp;&#65;</a>', '</feedback>'),
  'a report in characters of two bytes': packed('<feedback>', '<a>\u00c3\u00a9</a>', '</feedback>'),
  'a report that is not packed': (bytes) => plain(Buffer.alloc(bytes - 100, '<a>')),
  'a report of attributes': packed('<feedback>', '<a b="c>d"/>', '</feedback>'),
};
const TLS_REPORTS: Readonly<Record<string, Shape>> = {
  'a report of lists': (bytes) => plain(Buffer.alloc(bytes - 100, '{"a":[],')),
  'a report of a quarter of a megabyte': () => plain(Buffer.from(`{"policies":[${'[],'.repeat(87_000)}[]]}`)),
  'a report of open brackets': () => plain(Buffer.from(`{"a":${'['.repeat(262_000)}`)),
};

const STATUS =
  'Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status';
const BOUNCES: Readonly<Record<string, Shape>> = {
  'a status of recipients': message(STATUS, 'Final-Recipient: rfc822;a@b.example\r\nAction: relayed\r\n\r\n'),
  'a status of folds': message(STATUS, 'Diagnostic-Code: smtp; 550\r\n 5.1.1 x'),
  'a bounce of codes': message('Subject: failure notice', '550 5.1.1 x\r\n'),
  'a bounce of frames': message('Subject: failure notice', '(550 '),
  'a bounce in html': message(`Subject: failure notice\r\n${HTML}`, '<br <br'),
};

const FIELDS: Readonly<Record<string, Shape>> = {
  'quoted names': (bytes) => Buffer.alloc(bytes, '"a" '),
  'quotes and commas': (bytes) => Buffer.alloc(bytes, '"",'),
  'names without an address': (bytes) => Buffer.alloc(bytes, 'a '),
  'many senders': (bytes) =>
    Buffer.concat([Buffer.alloc(bytes - 5, 'a b <c@d.example>, '), Buffer.from('x')]),
  'pieces of a file name': (bytes) =>
    Buffer.from(`a; filename*0=b; ${'filename*1="c"; '.repeat(bytes / 20)}`),
};

const readField = (value: string) => [
  senderProblem(value),
  readContentType(value),
  fileNameIn(readDisposition(value).parameters, 'filename'),
];

export const inboundSubjects: readonly Subject[] = [
  {
    name: 'Reception of mail for organizations after DATA',
    limitBytes: MAX_RECEIVED_BYTES,
    run: receive,
    shapes: MESSAGES,
  },
  {
    name: 'SPF, DKIM and DMARC verification of received mail',
    limitBytes: MAX_RECEIVED_BYTES,
    run: authenticate,
    shapes: { ...MESSAGES, ...SIGNED },
    whole: ['five bogus signatures', 'signatures in both forms', 'a signature over blanks'],
  },
  {
    name: 'Reading of received mail',
    limitBytes: MAX_RECEIVED_BYTES,
    run: (raw) => readReceived(raw, 'a@example.org'),
    shapes: MESSAGES,
    whole: ['a base64 text', 'html of entities', 'html of opened tags', 'parts whose header does not end'],
  },
  {
    name: 'Files of received mail',
    limitBytes: MAX_RECEIVED_BYTES,
    run: everyFile,
    shapes: MESSAGES,
    whole: ['a base64 attachment', 'multiparts that are closed and opened'],
  },
  {
    name: 'Header fields of received mail',
    limitBytes: MAX_VALUE,
    run: (value) => readField(value.toString('latin1')),
    shapes: FIELDS,
  },
  {
    name: 'Bounces and complaints',
    limitBytes: KEPT_BYTES,
    run: readReport,
    shapes: { ...MESSAGES, ...BOUNCES },
  },
  {
    name: 'Unsubscriptions by mail',
    limitBytes: KEPT_BYTES,
    run: (raw) => interpretUnsubscribe(raw, () => null),
    shapes: MESSAGES,
  },
  {
    name: 'Aggregate reports of DMARC',
    limitBytes: MAX_REPORT_BYTES,
    run: (raw) => readAggregate(raw, 'dmarc'),
    shapes: { ...MESSAGES, ...REPORTS },
    whole: ['a report of empty elements', 'a report in one comment'],
  },
  {
    name: 'Reports about TLS',
    limitBytes: MAX_REPORT_BYTES,
    run: (raw) => readAggregate(raw, 'tls'),
    shapes: { ...MESSAGES, ...TLS_REPORTS },
  },
];
