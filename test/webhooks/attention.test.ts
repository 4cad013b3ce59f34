/** Webhooks that ask for it are told what needs attention: when it begins, when it becomes critical, and when it is over. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { placeGuardHold } from '../../src/delivery/guard/place-hold.ts';
import { createSiteViews } from '../../src/delivery/scheduler/site-views.ts';
import { MINUTE_MS } from '../../src/runtime/durations.ts';
import { createLog } from '../../src/runtime/log.ts';
import { OVER_AFTER_MS, sendAttentionNotices } from '../../src/stats/attention-notices.ts';
import { type Hooked, WebhookFixture } from './fixture.ts';

const TYPES = ['attention.raised', 'attention.cleared'];

let fixture: WebhookFixture;
let laterMs = 0;
beforeAll(async () => {
  fixture = await WebhookFixture.start();
});
afterAll(() => fixture.stop());

/** As a worker does every minute; several may do it at once. */
async function look(workers = 1): Promise<void> {
  const clock = { nowMs: () => Date.now() + laterMs };
  const deps = {
    db: fixture.server.db,
    clock,
    config: {
      mode: 'sandbox' as const,
      dkimDomain: undefined,
      hostname: 'mx.test',
      sendingAddresses: undefined,
    },
    board: createSiteViews(clock),
    log: createLog('test', 'silent'),
  };
  const signal = new AbortController().signal;
  await Promise.all(Array.from({ length: workers }, () => sendAttentionNotices(deps, signal)));
}

const deliveriesOf = async (hook: Hooked): Promise<{ type: string }[]> =>
  (await fixture.call('GET', `/webhooks/${hook.id}/deliveries?limit=100`)).toReversed();
const deliveredTypes = async (hook: Hooked) => (await deliveriesOf(hook)).map(({ type }) => type);

describe('what needs attention', () => {
  let hook: Hooked;
  let domainId: string;

  it('is told to a webhook that asks for it, in the words of the page, and once by several workers', async () => {
    hook = await fixture.hook('/attention', { event_types: TYPES });
    // In the sandbox names below .invalid never verify.
    domainId = (await fixture.call('POST', '/domains', { domain: 'shop.invalid' })).id;
    await look(3);
    const { items } = await fixture.call('GET', '/stats/attention');
    const item = items.find(({ id }: { id: string }) => id === domainId);
    const ofDomain = ({ body }: { body: { data?: { subject?: string } } }) => body.data?.subject === domainId;
    const [call] = await fixture.receiver.waitFor(1, ofDomain);
    expect(call?.path).toBe('/attention');
    expect(call?.body).toMatchObject({
      type: 'attention.raised',
      data: { kind: 'domain_unverified', severity: 'warning', name: 'shop.invalid', message: item.message },
    });
    expect(await deliveredTypes(hook)).toEqual(['attention.raised']);
  });

  it('is not told again while it goes on', async () => {
    laterMs += OVER_AFTER_MS - MINUTE_MS;
    await look();
    laterMs += OVER_AFTER_MS - MINUTE_MS;
    await look();
    expect(await deliveredTypes(hook)).toEqual(['attention.raised']);
  });

  it('is told again when it becomes critical', async () => {
    await fixture.server.db.exec(
      adHoc(
        `UPDATE domains SET spf_verified = true, dkim_verified = true, failing_since = now() WHERE id = $1`,
      ),
      [domainId],
    );
    await fixture.server.db.exec(
      adHoc(`UPDATE attention_notices SET kind = 'domain_failing' WHERE subject = $1`),
      [domainId],
    );
    await look();
    const [, second] = await deliveriesOf(hook);
    expect(second).toMatchObject({ type: 'attention.raised' });
    await look();
    expect(await deliveriesOf(hook)).toHaveLength(2);
  });

  it('is told to be over when it was not seen for ten minutes', async () => {
    await fixture.call('DELETE', `/domains/${domainId}`);
    await look();
    expect(await deliveriesOf(hook)).toHaveLength(2);
    laterMs += OVER_AFTER_MS + 1;
    await look(3);
    expect(await deliveredTypes(hook)).toEqual(['attention.raised', 'attention.raised', 'attention.cleared']);
    const isOver = ({ body }: { body: { type?: string } }) => body.type === 'attention.cleared';
    const [call] = await fixture.receiver.waitFor(1, isOver);
    expect(call?.body.data).toMatchObject({ kind: 'domain_failing', subject: domainId });
  });

  it('is not told to a webhook that names nothing', async () => {
    const all = await fixture.hook('/everything');
    await fixture.call('POST', '/domains', { domain: 'second.invalid' });
    await look();
    expect(await deliveredTypes(hook)).toHaveLength(4);
    expect(await deliveriesOf(all)).toEqual([]);
  });

  it('is told of each organization to itself alone', async () => {
    const { server, receiver } = fixture;
    const other = await server.createOrganization('Other');
    const url = `http://127.0.0.1:${receiver.port}/other`;
    await server.api('POST', '/webhooks', { url, event_types: TYPES }, other.key);
    const { body } = await server.api('POST', '/domains', { domain: 'theirs.invalid' }, other.key);
    await look();
    const [call] = await receiver.waitFor(1, ({ path }) => path === '/other');
    expect(call?.body.data.subject).toBe(body.data.id);
    expect(await deliveredTypes(hook)).toHaveLength(4);
    expect(receiver.received.filter(({ path }) => path === '/other')).toHaveLength(1);
  });
});

it('mail that the guard holds back needs attention, and webhooks are told', async () => {
  const value = 'tmpl_x version 1 to mx.customer.example';
  const guarded = {
    organizationId: fixture.org.id,
    scope: 'lane',
    value,
    reason: 'Most of it is refused.',
  } as const;
  const hold = await placeGuardHold(fixture.server.db, guarded);
  await fixture.hook('/guarded', { event_types: TYPES });
  await look();
  const [call] = await fixture.receiver.waitFor(1, ({ body }) => body.data.subject === hold?.id);
  expect(call?.body.data).toMatchObject({ kind: 'mail_held', message: expect.stringContaining(value) });
});
