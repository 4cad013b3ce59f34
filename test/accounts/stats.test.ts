/** The numbers of the overview, against mail whose fate is known. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countComplaints, removeOldHourlyCounts } from '../../src/counters/hourly-counts.ts';
import { adHoc } from '../../src/database/sql.ts';
import { applyOutcomes } from '../../src/emails/outcomes.ts';
import type { RecipientState } from '../../src/emails/status.ts';
import { HOUR_MS } from '../../src/runtime/durations.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { hourlyCountsDiffer } from '../support/counts.ts';
import { sendLetter } from '../support/emails.ts';
import { MovableClock } from './people.ts';

const clock = new MovableClock();
let server: TestApi;
let organization: TestOrganization;
let stranger: TestOrganization;
const sent: string[] = [];

beforeAll(async () => {
  server = await startApi({ clock });
  organization = await server.createOrganization();
  stranger = await server.createOrganization('Stranger');
  // Two at half past of an hour two days ago, three at half past of this one.
  const half = Math.floor(clock.ms / HOUR_MS) * HOUR_MS + HOUR_MS / 2;
  clock.ms = half - 48 * HOUR_MS;
  for (let i = 0; i < 2; i += 1) sent.push(await sendLetter(server, organization));
  clock.ms = half;
  for (let i = 0; i < 3; i += 1) sent.push(await sendLetter(server, organization));
  // Mail for at once is due by the database's clock, which goes on.
  await server.db.exec(
    adHoc('UPDATE outbox o SET due_at = e.created_at FROM emails e WHERE e.id = o.email_id'),
  );
});
afterAll(() => server.stop());

async function settle(emailId: string | undefined, state: RecipientState): Promise<void> {
  if (emailId === undefined) throw new Error('no such email');
  const outcome = {
    organizationId: organization.id,
    emailId,
    position: 0,
    state,
    attempts: 1,
    atMs: clock.ms,
  };
  await server.db.transaction((tx) => applyOutcomes(tx, [outcome], clock.ms));
}

const stats = async (range: string, key = organization.key) =>
  (await server.api('GET', `/stats?range=${range}`, undefined, key)).body.data;

describe('the overview', () => {
  it('counts what was accepted, by the hour', async () => {
    const day = await stats('24h');
    expect(day).toMatchObject({ range: '24h', interval: 'hour', totals: { sent: 3, queued: 3 } });
    expect(day.series).toHaveLength(24);
    expect(day.series.at(-1)).toMatchObject({ sent: 3, queued: 3, delivered: 0 });
    expect(day.series.at(-1).at).toBe(new Date(Math.floor(clock.ms / HOUR_MS) * HOUR_MS).toISOString());
    expect(day.from).toBe(day.series[0].at);
    expect(day.rates).toEqual({
      delivered: null,
      bounced: null,
      failed: null,
      opened: null,
      clicked: null,
      complained: null,
    });
  });

  it('and by the day, without gaps', async () => {
    const week = await stats('7d');
    expect(week).toMatchObject({ interval: 'day', totals: { sent: 5 } });
    expect(week.series.map((one: { sent: number }) => one.sent)).toEqual([0, 0, 0, 0, 2, 0, 3]);
    const month = await stats('30d');
    expect(month.series).toHaveLength(30);
    expect(month.totals.sent).toBe(5);
  });

  it('follows what becomes of it, at the time it was accepted', async () => {
    await settle(sent[0], 'delivered');
    await settle(sent[1], 'bounced');
    await settle(sent[2], 'delivered');
    await settle(sent[2], 'opened');
    await settle(sent[3], 'failed');
    await server.db.transaction((tx) =>
      countComplaints(tx, [{ organizationId: organization.id, emailId: sent[2] ?? '' }]),
    );
    const week = await stats('7d');
    expect(week.totals).toEqual({
      sent: 5,
      queued: 1,
      delivered: 2,
      bounced: 1,
      failed: 1,
      opened: 1,
      clicked: 0,
      complained: 1,
    });
    expect(week.rates).toEqual({
      delivered: 0.5,
      bounced: 0.25,
      failed: 0.25,
      opened: 0.5,
      clicked: 0,
      complained: 0.5,
    });
    expect(week.series[4]).toMatchObject({ sent: 2, delivered: 1, bounced: 1, complained: 0 });
    expect((await stats('24h')).totals).toMatchObject({
      sent: 3,
      queued: 1,
      delivered: 1,
      opened: 1,
      failed: 1,
    });
  });

  it('does not count an email twice that is tried again', async () => {
    await settle(sent[3], 'queued');
    expect((await stats('24h')).totals).toMatchObject({ sent: 3, queued: 2, failed: 0 });
    expect(await hourlyCountsDiffer(server.db)).toEqual([]);
  });

  it('shows nobody the numbers of others', async () => {
    expect((await stats('30d', stranger.key)).totals.sent).toBe(0);
  });

  it('takes ranges that it knows, and a day where none is given', async () => {
    expect((await server.api('GET', '/stats?range=1y', undefined, organization.key)).status).toBe(400);
    expect((await server.api('GET', '/stats', undefined, organization.key)).body.data.range).toBe('24h');
  });

  it('forgets hours that it does not show any more', async () => {
    await removeOldHourlyCounts(server.db, clock.ms + 39 * 24 * HOUR_MS);
    expect((await stats('30d')).totals.sent).toBe(3);
  });
});

describe('what needs attention', () => {
  const attention = async (key = organization.key) =>
    (await server.api('GET', '/stats/attention', undefined, key)).body.data;

  it('tells how the queue stands', async () => {
    const { queue } = await attention();
    expect(queue).toMatchObject({ queued_emails: 2, due: 5, due_capped: false });
    expect(queue.oldest_due_seconds).toBe(48 * 3600);
    expect((await attention(stranger.key)).queue).toEqual({
      queued_emails: 0,
      due: 0,
      due_capped: false,
      oldest_due_at: null,
      oldest_due_seconds: null,
    });
  });

  it('names domains, webhooks and limits', async () => {
    await server.api('POST', '/domains', { domain: 'new.example' }, organization.key);
    const hook = await server.api('POST', '/webhooks', { url: 'http://127.0.0.1:9/hook' }, organization.key);
    await server.db.exec(
      adHoc(`UPDATE webhook_endpoints SET enabled = false, disabled_reason = 'failing', disabled_at = now()`),
    );
    await server.db.exec(adHoc('UPDATE organizations SET daily_limit = 3 WHERE id = $1'), [organization.id]);
    const { items } = await attention();
    expect(items.map((one: { kind: string }) => one.kind)).toEqual([
      'sending_limit_reached',
      'nobody_delivers',
      'domain_unverified',
      'webhook_disabled',
    ]);
    expect(items[3]).toMatchObject({ id: hook.body.data.id, name: 'http://127.0.0.1:9/hook' });
    expect((await attention(stranger.key)).items).toEqual([]);
  });
});
