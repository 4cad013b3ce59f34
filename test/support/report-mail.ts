/** Mail with the reports of receivers, compressed in the formats that receivers use. */
import { readFileSync } from 'node:fs';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

const FOLDER = new URL('../inbound/reports/', import.meta.url);

export function sampleReport(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}

/** The report with its date changed to yesterday and another domain. */
export function recentReport(name: string, domain: string, nowMs: number = Date.now()): string {
  const begin = Math.floor(nowMs / 86_400_000) * 86_400 - 86_400;
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000', '');
  return sampleReport(name)
    .replace(/<begin>\d+/, `<begin>${begin}`)
    .replace(/<end>\d+/, `<end>${begin + 86_399}`)
    .replace(/"start-datetime": "[^"]*"/, `"start-datetime": "${iso(begin)}"`)
    .replace(/"end-datetime": "[^"]*"/, `"end-datetime": "${iso(begin + 86_399)}"`)
    .replaceAll('example.com', domain);
}

export interface Attachment {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** The mail of a report as receivers send it: a short text and the file. */
export function reportMail({ name, type, bytes }: Attachment, to = 'dmarc@mail.postrider.example'): Buffer {
  const body = bytes.toString('base64').replace(/.{76}/g, '$&\r\n');
  return Buffer.from(
    [
      'From: noreply-dmarc-support@google.com',
      `To: ${to}`,
      `Subject: Report domain: example.com Submitter: google.com Report-ID: 1`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="=_report"',
      '',
      '--=_report',
      'Content-Type: text/plain; charset=us-ascii',
      '',
      'This is an aggregate report.',
      '--=_report',
      `Content-Type: ${type}; name="${name}"`,
      `Content-Disposition: attachment; filename="${name}"`,
      'Content-Transfer-Encoding: base64',
      '',
      body,
      '--=_report--',
      '',
    ].join('\r\n'),
  );
}

export function gzipped(
  text: string | Buffer,
  name = 'report.xml.gz',
  type = 'application/gzip',
): Attachment {
  return { name, type, bytes: gzipSync(text) };
}

export function zipped(text: string | Buffer, name = 'report.zip', type = 'application/zip'): Attachment {
  return { name, type, bytes: zipOf([{ name: 'report.xml', bytes: Buffer.from(text) }]) };
}

interface ZipFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A ZIP file with the lengths only in its central directory, as streaming writers make it. */
export function zipOf(files: readonly ZipFile[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const packed = deflateRawSync(bytes);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(0x0008, 6);
    local.writeUInt16LE(8, 8);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(0x0008, 8);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(crc32(bytes), 16);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(bytes.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    locals.push(local, Buffer.from(name), packed);
    directory.push(entry, Buffer.from(name));
    offset += 30 + name.length + packed.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, entries, end]);
}
