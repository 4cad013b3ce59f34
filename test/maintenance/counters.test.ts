import { afterAll, beforeAll, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { countsDiffer } from '../support/counts.ts';
import { countersOf, letter, sendLetter } from '../support/emails.ts';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
});
afterAll(() => server.stop());

it('counters equal a full count after sends, refusals, cancellations and batches at the same time', async () => {
  const template = { name: 'T', subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' };
  const { body } = await server.api('POST', '/templates', template, org.key);
  const sendBatch = () =>
    server.api(
      'POST',
      '/emails/batch',
      {
        template_id: body.data.id,
        from: { email: `news@${org.domain}` },
        recipients: [{ to: { email: 'ada@example.org' } }, { to: { email: 'no address' } }],
      },
      org.key,
    );
  const refused = letter(org, { from: { email: 'a@unverified.example' } });
  const scheduleAndCancel = async () => {
    const id = await sendLetter(server, org, { scheduled_at: '2032-01-01T00:00:00Z' });
    return Promise.all([1, 2].map(() => server.api('POST', `/emails/${id}/cancel`, undefined, org.key)));
  };
  await Promise.all(
    Array.from({ length: 10 }, () => [
      sendLetter(server, org),
      server.api('POST', '/emails/send', refused, org.key),
      scheduleAndCancel(),
      sendBatch(),
    ]).flat(),
  );
  expect(await countersOf(server.db, org.id)).toEqual({ queued: 20, failed: 10 });
  expect(await countsDiffer(server.db)).toEqual([]);
});

it('a batch of which nobody was accepted can be asked about, and counts nothing', async () => {
  const { body } = await server.api('POST', '/templates', { name: 'T', subject: 'S', text: 'T' }, org.key);
  const batch = {
    template_id: body.data.id,
    from: { email: `news@${org.domain}` },
    recipients: [{ to: { email: 'no address' } }, { to: { email: 'neither@' } }],
  };
  const sent = await server.api('POST', '/emails/batch', batch, org.key);
  expect(sent.body.data).toMatchObject({ total: 2, accepted: 0 });
  const { batch_id } = sent.body.data;
  const read = await server.api('GET', `/emails/batch/${batch_id}`, undefined, org.key);
  expect(read.body).toEqual({
    data: { batch_id, total: 0, counts: { queued: 0, delivered: 0, bounced: 0, failed: 0, opened: 0 } },
  });
  const stranger = await server.createOrganization('Stranger');
  expect((await server.api('GET', `/emails/batch/${batch_id}`, undefined, stranger.key)).status).toBe(404);
});

it('a count that is off is noticed', async () => {
  await server.db.exec(adHoc(`UPDATE email_counts SET count = count + 1 WHERE status = 'failed'`));
  expect(await countsDiffer(server.db)).toMatchObject([{ status: 'failed', counted: 11, found: 10 }]);
});
