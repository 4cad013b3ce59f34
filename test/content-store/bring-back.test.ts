/** `postrider content bring-back`: everything that was moved is in PostgreSQL again. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { MovedContents } from '../../src/emails/moved/moved-contents.ts';
import { restoreContent } from '../../src/operations/content-restore.ts';
import { HOUR_MS } from '../../src/runtime/durations.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { contentChores, contentRows, settleAs, storeOf } from '../support/content-store.ts';
import { sendLetter } from '../support/emails.ts';
import { type S3Sink, startS3Sink } from '../support/s3-sink.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { seedMail } from '../support/seed-mail.ts';
import { createTwoCells } from '../support/two-cells.ts';

const ACCEPTED = Date.parse('2026-03-04T12:00:00Z');
const WEEK_MS = 7 * 24 * HOUR_MS;
const MAILS = 5;
const clock = { ms: ACCEPTED, nowMs: () => clock.ms };

let sink: S3Sink;
let server: TestApi;
let chores: ReturnType<typeof contentChores>;
let first: TestOrganization;
let other: TestOrganization;
let ids: string[];
let before: unknown[];
beforeAll(async () => {
  sink = await startS3Sink('mail/content');
  server = await startApi({ clock, env: sink.env });
  chores = contentChores(server.db, clock, sink);
});
afterAll(async () => {
  await server.stop();
  await sink.stop();
});

const file = { filename: 'bill.txt', content: Buffer.from('Pay 5.').toString('base64') };
const contentOf = async (org: TestOrganization, id: string) =>
  (await server.api('GET', `/emails/${id}/content`, undefined, org.key)).body;
const run = (argv: string[] = [], env = {}) =>
  runCommand(['content', 'bring-back', ...argv], {
    DATABASE_URL: server.database.url,
    POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
    ...sink.env,
    POSTRIDER_CONTENT_S3_AFTER: 'off',
    ...env,
  });

/** Mail of two organizations, all of it in the bucket. */
beforeEach(async () => {
  sink.fault = () => undefined;
  await run();
  await chores.remove();
  [first, other] = [await server.createOrganization(), await server.createOrganization()];
  ids = [];
  clock.ms = ACCEPTED;
  for (let i = 0; i < MAILS; i += 1) {
    ids.push(await delivered(first, { html: `<p>Mail ${i}</p>`, attachments: [file] }));
  }
  await delivered(other);
  before = await Promise.all(ids.map((id) => contentOf(first, id)));
  clock.ms = ACCEPTED + 3 * WEEK_MS;
  await server.db.exec(adHoc('UPDATE content_weeks SET due_at = $1, looked_to = NULL'), [new Date(0)]);
  await chores.another().move();
  expect((await contentRows(server.db)).moved_contents).toBeGreaterThanOrEqual(MAILS + 1);
});

async function delivered(org: TestOrganization, changes: Record<string, unknown> = {}): Promise<string> {
  const id = await sendLetter(server, org, changes);
  await settleAs(server.db, org, id, 'delivered', clock.ms);
  return id;
}

const objectsOf = (org: TestOrganization) => [...sink.objects.keys()].filter((key) => key.includes(org.id));
const movedOf = async (org: TestOrganization) =>
  (
    await server.db.one(
      adHoc<{ count: number }>('SELECT count(*) FROM moved_contents WHERE organization_id = $1'),
      [org.id],
    )
  ).count;

describe('npx postrider content bring-back', () => {
  it('brings all of it back as it was, and lets the objects be removed', async () => {
    const { code, out, err } = await run();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/\d+ emails have their content in the bucket, .* when it is back/);
    expect(await contentRows(server.db)).toMatchObject({ moved_contents: 0 });
    sink.fault = () => 503;
    expect(await Promise.all(ids.map((id) => contentOf(first, id)))).toEqual(before);
    sink.fault = () => undefined;
    clock.ms = Date.now(); // what the command goes by
    await chores.remove();
    expect([objectsOf(first), objectsOf(other)]).toEqual([[], []]);
    const deed = adHoc(`SELECT action FROM audit_log ORDER BY id DESC LIMIT 1`);
    expect(await server.db.one(deed)).toEqual({ action: 'content.brought_back' });
  });

  it('brings back that of one organization alone', async () => {
    const { code, out } = await run(['--org', other.id, '--json']);
    expect([code, JSON.parse(out)]).toEqual([0, { emails: 1, missing: [] }]);
    expect([await movedOf(first), await movedOf(other)]).toEqual([MAILS, 0]);
    expect((await run(['--org', 'org_nobody'])).err).toContain('There is no organization org_nobody');
  });

  it('says so where the bucket does not answer, and does the rest when it is run again', async () => {
    const last = ids.at(-1) ?? '';
    sink.fault = ({ key }) => (key.includes(last) ? 503 : undefined);
    const cut = await run();
    expect([cut.code, cut.err]).toEqual([
      1,
      expect.stringContaining('Run the command again to bring back the rest'),
    ]);
    expect(await movedOf(first)).toBeGreaterThan(0);
    sink.fault = () => undefined;
    expect((await run()).code).toBe(0);
    expect(await movedOf(first)).toBe(0);
    expect(await Promise.all(ids.map((id) => contentOf(first, id)))).toEqual(before);
  });

  it('stops between two steps where it is interrupted', async () => {
    const enough = new AbortController();
    const moved = new MovedContents({ db: server.db, clock, store: storeOf(sink) });
    const onBrought = () => enough.abort();
    const { signal } = enough;
    await restoreContent(server.db, { moved, only: first.id, signal, perStep: 1, onBrought });
    expect(await movedOf(first)).toBe(MAILS - 1);
    expect((await run()).code).toBe(0);
    expect(await movedOf(first)).toBe(0);
  });

  it('names emails of which the bucket has nothing, and brings the others', async () => {
    const [lost = ''] = ids;
    for (const key of objectsOf(first)) if (key.includes(lost)) sink.objects.delete(key);
    const { code, out } = await run(['--json']);
    expect([code, JSON.parse(out)]).toMatchObject([1, { missing: [lost] }]);
    expect(await movedOf(first)).toBe(1);
    await server.db.exec(adHoc('DELETE FROM moved_contents WHERE email_id = $1'), [lost]);
  });

  it('is refused while content is still moved, and where there is no bucket', async () => {
    expect((await run([], { POSTRIDER_CONTENT_S3_AFTER: '8d' })).err).toContain('AFTER=off');
    const none = { DATABASE_URL: server.database.url, POSTRIDER_SECRET_KEY: TEST_SECRET_KEY };
    expect((await runCommand(['content', 'bring-back'], none)).err).toContain('No content store');
    expect(await movedOf(first)).toBe(MAILS);
  });

  it('brings content of an organization in another cell back to where it lives', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'postrider-cells-'));
    const cells = await createTwoCells(dataDir);
    const { id } = await cells.json(['org', 'create', 'There', '--cell', 'two']);
    await seedMail(cells.two.db, { organizationId: id, domain: 'x.test', count: 3 });
    await cells.two.db.exec(adHoc(`UPDATE emails SET status = 'delivered'`));
    const later = { nowMs: () => Date.now() + 2 * HOUR_MS };
    await contentChores(cells.two.db, later, sink).move();
    expect(await contentRows(cells.two.db)).toMatchObject({ email_contents: 0, moved_contents: 3 });
    const env = { ...sink.env, POSTRIDER_CONTENT_S3_AFTER: 'off' };
    expect(await cells.json(['content', 'bring-back'], env)).toEqual({ emails: 3, missing: [] });
    expect(await contentRows(cells.two.db)).toMatchObject({ email_contents: 3, moved_contents: 0 });
    expect(await contentRows(cells.main.db)).toMatchObject({ email_contents: 0 });
    await cells.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
});
