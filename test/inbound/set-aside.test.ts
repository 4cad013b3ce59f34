/** One message that cannot be recorded must not hold up the others. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CountedNames } from '../../src/counters/counted-names.ts';
import { adHoc } from '../../src/database/sql.ts';
import { recordWaiting } from '../../src/inbound/recorder.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { sendLetter } from '../support/emails.ts';
import { INBOUND_HOST, returnPathTo, startInbound } from '../support/inbound.ts';
import { deliveryReport, markDelivered, ReportSender } from '../support/reports.ts';

let server: TestApi;
const sender = new ReportSender();
beforeAll(async () => {
  server = await startApi();
});
afterAll(async () => {
  await sender.stop();
  await server?.stop();
});

it('a message that breaks the recording is set aside with the reason, and the rest is recorded', async () => {
  const inbound = await startInbound(server.database, { readsNothing: true });
  const org = await server.createOrganization();
  const ids: string[] = [];
  for (const diagnostic of ['550 one', '550 poison', '550 three']) {
    const emailId = await sendLetter(server, org);
    await markDelivered(server.db, org.id, emailId);
    ids.push(emailId);
    const to = returnPathTo({ organizationId: org.id, emailId, position: 0 });
    await sender.send(inbound.port, to, deliveryReport({ diagnostic }));
  }
  await inbound.stop();
  const results: string[] = [];
  const count = await recordWaiting({
    db: server.db,
    clock: systemClock,
    log: createLog('test', 'silent'),
    judge: ({ reply }) => {
      if (reply.text.includes('poison')) throw new Error('Nobody thought of this.');
      return { kind: 'bounced', reason: 'undetermined', rule: 'test', suppress: null };
    },
    identify: () => null,
    names: new CountedNames(),
    unsubscriber: () => null,
    isSimulated: () => false,
    onResult: (result) => results.push(result),
  });
  expect(count).toBe(3);
  expect(results.toSorted()).toEqual(['bounced', 'bounced', 'kept']);
  const left = adHoc<{ state: string; note: string; email_id: string }>('SELECT * FROM inbound_messages');
  expect(await server.db.many(left)).toMatchObject([
    { state: 'kept', email_id: ids[1], note: 'It could not be recorded: Nobody thought of this.' },
  ]);
});

it('of what is kept the oldest go as soon as it is too much, of each sender and in all', async () => {
  const inbound = await startInbound(server.database);
  const insert = adHoc(
    `INSERT INTO inbound_messages (id, received_at, mailbox, mail_from, remote_address, size, raw, state)
     SELECT gen_random_uuid(), now() - n * interval '1 second', 'abuse', '', $2, 1, 'x', 'kept'
     FROM generate_series(1, $1::int) AS n`,
  );
  await server.db.exec(insert, [80, '203.0.113.5']);
  await server.db.exec(insert, [80, '2001:db8::1']);
  await server.db.exec(insert, [600, '127.0.0.1']);
  await sender.send(
    inbound.port,
    `abuse@${INBOUND_HOST}`,
    'Subject: Hello\r\n\r\nNobody understands this.\r\n',
  );
  const left = async () => {
    const text = `SELECT remote_address, count(*) AS count FROM inbound_messages WHERE mailbox = 'abuse' GROUP BY 1`;
    const rows = await server.db.many(adHoc<{ remote_address: string; count: number }>(text));
    return Object.fromEntries(rows.map((row) => [row.remote_address, row.count]));
  };
  await expect
    .poll(left, { timeout: 20_000 })
    .toEqual({ '203.0.113.5': 50, '2001:db8::1': 50, '127.0.0.1': 400 });
  await inbound.stop();
});

it('what senders were told and what was made of their mail is counted', async () => {
  const metrics = createMetrics('inbound');
  const inbound = await startInbound(server.database, { metrics });
  const org = await server.createOrganization();
  const emailId = await sendLetter(server, org);
  await markDelivered(server.db, org.id, emailId);
  const delivery = { organizationId: org.id, emailId, position: 0 };
  await sender.send(inbound.port, returnPathTo(delivery), deliveryReport());
  await sender.send(inbound.port, returnPathTo(delivery, Date.now() - 40 * 86_400_000), deliveryReport());
  await expect
    .poll(() => metrics.text(), { timeout: 20_000 })
    .toMatch(/postrider_inbound_reports_total\{result="bounced",role="inbound"\} 1/);
  const text = await metrics.text();
  expect(text).toMatch(/postrider_inbound_replies_total\{reply="stored",role="inbound"\} 1/);
  expect(text).toMatch(/postrider_inbound_replies_total\{reply="expired_mailbox",role="inbound"\} 1/);
  expect(text).toMatch(/postrider_inbound_waiting\{role="inbound"\} 0/);
  await inbound.stop();
});
