/** Prints a message with a DMARC report about yesterday, to try the receiver with: `node sample.mjs shop.example`. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const [domain = 'example.com'] = process.argv.slice(2);
const begin = Math.floor(Date.now() / 86_400_000) * 86_400 - 86_400;
const report = readFileSync(new URL('google.xml', import.meta.url), 'utf8')
  .replace(/<begin>\d+/, `<begin>${begin}`)
  .replace(/<end>\d+/, `<end>${begin + 86_399}`)
  .replaceAll('example.com', domain);
const file = gzipSync(report).toString('base64').replace(/.{76}/g, '$&\r\n');
process.stdout.write(
  [
    'From: noreply-dmarc-support@google.com',
    `Subject: Report domain: ${domain} Submitter: google.com`,
    'MIME-Version: 1.0',
    'Content-Type: application/gzip; name="report.xml.gz"',
    'Content-Transfer-Encoding: base64',
    '',
    file,
    '',
  ].join('\r\n'),
);
