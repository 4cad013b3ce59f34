/** Which mail the guard treats as repeats of one email, and how waiting repeats follow changed settings. */
import { beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import type { LoadedEmail } from '../../src/delivery/attempt/load.ts';
import { watchedOrganization } from '../../src/delivery/guard/first-day.ts';
import { FLOOD } from '../../src/delivery/guard/flood-limit.ts';
import { Floods } from '../../src/delivery/guard/floods.ts';
import type { ClaimedDelivery } from '../../src/outbox/states.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { createLog } from '../../src/runtime/log.ts';
import { address } from '../support/addresses.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { makeOlder } from '../support/older-organization.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const YESTERDAY = new Date(Date.now() - DAY_MS);

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
  await makeOlder(server.db, org.id, YESTERDAY);
});

/** The flood detection of a worker, with the clock of the test. */
function watch() {
  const clock = { nowMs: () => clock.atMs, atMs: Date.now() };
  const log = createLog('test', 'silent');
  return { clock, floods: new Floods({ db: server.db, clock, log, speed: 1 }) };
}
type Watch = ReturnType<typeof watch>;

const file = (contentId: string | null) => ({
  ...{ filename: 'a.bin', contentType: 'application/octet-stream', content: Buffer.from('x') },
  contentId,
});

function email(to: string, changes: Partial<LoadedEmail> = {}): LoadedEmail {
  return {
    from: { email: `hello@${org.domain}`, name: null },
    recipient: to,
    subject: 'Your code',
    template_id: 'tmpl_code',
    attachments: [],
    mime: null,
    withdrawnFor: null,
    scheduledAtMs: null,
    ...changes,
  } as LoadedEmail;
}

/** `waitedMs`: how long the delivery was put off. */
function delivery(nowMs: number, waitedMs = 0): ClaimedDelivery {
  const key = { organizationId: org.id, emailId: uuidv7(nowMs), position: 0 };
  return { ...key, attempt: 1, dueAtMs: nowMs + waitedMs } as ClaimedDelivery;
}

/** Null if the new email may be sent. */
function comesUp({ floods, clock }: Watch, one: LoadedEmail): Promise<number | null> {
  return floods.putOffUntil(delivery(clock.atMs), { ...one, createdAtMs: clock.atMs });
}

/** Sends enough repeats for a flood, and one more that takes the turn of this minute. */
async function flood(watched: Watch, one: LoadedEmail): Promise<void> {
  for (let n = 0; n < FLOOD.emails; n += 1) await comesUp(watched, one);
}

describe('a repeat of an email that floods an address', () => {
  it('waits for its turn, and is withdrawn where a newer one came', async () => {
    const watched = watch();
    const { clock, floods } = watched;
    const repeat = email('plain@customer.example');
    await flood(watched, repeat);
    const first = delivery(clock.atMs, 60_000);
    const waiting = { ...repeat, createdAtMs: clock.atMs };
    expect(await floods.putOffUntil({ ...first, dueAtMs: clock.atMs }, waiting)).toBe(clock.atMs + 60_000);
    clock.atMs += 1;
    expect(await comesUp(watched, repeat)).not.toBeNull();
    expect(await floods.loading(async () => waiting)(first)).toMatchObject({
      withdrawnFor: 'flood_collapsed',
    });
  });

  it.each<[string, Partial<LoadedEmail>]>([
    ['another subject', { subject: 'Your invoice' }],
    ['another template', { template_id: 'tmpl_invoice' }],
    ['no template', { template_id: null }],
    ['a sender at another domain', { from: { email: address('hello@other.example').email, name: null } }],
    ['another recipient', { recipient: address('other@customer.example').email }],
    ['an attached file', { attachments: [file(null)] }],
    [
      'parts beside its text, submitted whole',
      { mime: Buffer.from('Subject: Your code\r\nContent-Type:\r\n multipart/mixed; boundary=x\r\n\r\n--x') },
    ],
  ])('is not a repeat with %s', async (_, changes) => {
    const watched = watch();
    const to = 'different@customer.example';
    await flood(watched, email(to));
    expect(await comesUp(watched, email(to))).not.toBeNull();
    expect(await comesUp(watched, email(to, changes))).toBeNull();
  });

  it('is one where only an image within its html is attached', async () => {
    const watched = watch();
    const logo = [file('logo')];
    const one = email('logo@customer.example', { attachments: logo });
    await flood(watched, one);
    expect(await comesUp(watched, one)).not.toBeNull();
  });

  it('is still slowed when the flood has gone on for more than a day', async () => {
    const to = 'for-days@customer.example';
    const template = { name: 'For days', subject: 'Your code', text: 'x' };
    const { id } = (await server.api('POST', '/templates', template, org.key)).body.data;
    const recipients = Array.from({ length: FLOOD.emails }, () => ({ to: { email: to } }));
    const batch = { from: { email: `hello@${org.domain}` }, template_id: id, recipients };
    expect((await server.api('POST', '/emails/batch', batch, org.key)).body.data.accepted).toBe(FLOOD.emails);
    const watched = watch();
    await flood(watched, email(to));
    watched.clock.atMs += DAY_MS + 1_000;
    await flood(watched, email(to));
    expect(await comesUp(watched, email(to))).not.toBeNull();
  });
});

describe('repeats that wait', () => {
  it.each([
    ['their address is put on the allow-list', { allow: ['customer.example'] }],
    ['the guard is turned off', { enabled: false }],
  ])('are sent, and not withdrawn, once %s', async (_, setting) => {
    const watched = watch();
    const { clock, floods } = watched;
    const repeat = email('released@customer.example');
    await flood(watched, repeat);
    const waiting = { ...repeat, createdAtMs: clock.atMs };
    const first = delivery(clock.atMs, 60_000);
    clock.atMs += 1;
    expect(await comesUp(watched, repeat)).not.toBeNull();
    await server.api('PUT', '/settings/guard', setting, org.key);
    clock.atMs += 60_000;
    expect(await floods.loading(async () => waiting)(first)).toMatchObject({ withdrawnFor: null });
    expect(await floods.putOffUntil(first, waiting)).toBeNull();
    await server.api('PUT', '/settings/guard', { enabled: true, allow: [] }, org.key);
  });
});

describe('the first day', () => {
  it('begins when the first domain was verified, where that is later than the organization', async () => {
    const { id } = await server.createOrganization();
    await makeOlder(server.db, id, YESTERDAY);
    const isFirstDay = async () => (await watchedOrganization(server.db, id, Date.now()))?.isFirstDay;
    expect(await isFirstDay()).toBe(false);
    // As after leaving the sandbox, in which every domain is verified.
    await server.db.exec(adHoc('UPDATE domains SET verified_at = now() WHERE organization_id = $1'), [id]);
    expect(await isFirstDay()).toBe(true);
  });
});
