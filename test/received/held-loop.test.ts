/** Mail of strangers from SMTP through the database to its reading: how long it holds the event loop of the inbound process. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { bestSliceMs, LIMIT_MS } from '../processor-time/measure.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { INBOUND_HOST, startInbound, type TestInbound } from '../support/inbound.ts';
import { bringMail, mailOf } from '../support/receiving.ts';

const MAIL_BYTES = 24 * 1024 * 1024;

let server: TestApi;
let inbound: TestInbound;
let org: TestOrganization;
beforeAll(async () => {
  server = await startApi();
  inbound = await startInbound(server.database);
  org = await server.createOrganization();
  await server.api('POST', '/inbound/domains', { domain: org.domain }, org.key);
  await server.api('POST', '/inbound/routes', { address: `*@${org.domain}` }, org.key);
});
afterAll(async () => {
  await inbound?.stop();
  await server?.stop();
});

const countRead = adHoc<{ count: number }>(`SELECT count(*) FROM received_emails WHERE state = 'read'`);
const countWaiting = adHoc<{ count: number }>(
  `SELECT count(*) FROM inbound_messages WHERE state = 'waiting'`,
);

async function untilRead(message: Buffer): Promise<void> {
  const before = (await server.db.one(countRead)).count;
  // Another Message-ID: the same mail again would be recognised.
  const digit = message.indexOf('Message-ID: <') + 'Message-ID: <'.length;
  message[digit] = (message[digit] as number) + 1;
  expect(await bringMail(inbound.port, `x@${org.domain}`, message)).toMatch(/^250 /);
  await expect.poll(async () => (await server.db.one(countRead)).count, { interval: 100 }).toBe(before + 1);
}

async function untilRecorded(report: Buffer): Promise<void> {
  expect(await bringMail(inbound.port, `dmarc@${INBOUND_HOST}`, report)).toMatch(/^250 /);
  await expect.poll(async () => (await server.db.one(countWaiting)).count, { interval: 100 }).toBe(0);
}

/** A body of so many bytes behind that header, made before anything is measured. */
function filled(head: Readonly<Record<string, string>>, unit: string): Buffer {
  const fields = mailOf({ 'Message-ID': '<0@example.org>', ...head }, '');
  return Buffer.concat([Buffer.from(fields), Buffer.alloc(MAIL_BYTES, unit)]);
}

describe('the event loop of the inbound process is held for less than 50 ms', () => {
  it('by 24 MB with five bogus signatures', async () => {
    const tags = 'v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=s; h=from; bh=AAAA; b=AAAA';
    const signatures = Array.from({ length: 5 }, () => tags).join('\r\nDKIM-Signature: ');
    const message = filled({ 'DKIM-Signature': signatures }, 'a b  c\r\n');
    expect(await bestSliceMs(() => untilRead(message))).toBeLessThanOrEqual(LIMIT_MS);
  });

  it('by 24 MB of an attachment in base64', async () => {
    const head = { 'Content-Type': 'application/pdf', 'Content-Transfer-Encoding': 'base64' };
    const message = filled(head, `${'QUJD'.repeat(19)}\r\n`);
    expect(await bestSliceMs(() => untilRead(message))).toBeLessThanOrEqual(LIMIT_MS);
  });

  it('by a report of 990,000 elements', async () => {
    const xml = `<feedback>${'<a/>'.repeat(990_000)}</feedback>`;
    const report = Buffer.from(mailOf({ 'Content-Type': 'text/xml' }, xml));
    expect(await bestSliceMs(() => untilRecorded(report))).toBeLessThanOrEqual(LIMIT_MS);
  });
});
