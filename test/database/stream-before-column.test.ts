/**
 * Mail whose stream is stored as a tag: accepted before the column `emails.stream`, or by a process of release 0.1.0 beside those of
 * this one.
 */
import { expect, it, onTestFinished } from 'vitest';
import { migrate, readMigrations } from '../../src/database/migrate.ts';
import { ensurePartitions } from '../../src/database/partitions.ts';
import { adHoc } from '../../src/database/sql.ts';
import { findEmail } from '../../src/emails/store-read.ts';
import { newId, uuidv7 } from '../../src/runtime/ids.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';

/** The last schema without the column. */
const BEFORE = 137;
const TAGS = [
  { name: 'kind', value: 'digest' },
  { name: 'message-stream', value: 'news' },
];

/** How release 0.1.0 stores an email. */
const insertEmails = adHoc(`
  SELECT insert_emails(
    mode => 'live', organization_ids => ARRAY[$1], email_ids => ARRAY[$2::uuid], created => ARRAY[$3::float8],
    priorities => ARRAY[1::smallint], track_opens => ARRAY[false], unsubscribable => ARRAY[false],
    scheduled => ARRAY[NULL::float8], expires_in => ARRAY[NULL::integer], from_emails => ARRAY['news@shop.example'],
    from_names => NULL, subjects => ARRAY['News'],
    addresses => ARRAY['{"to": [{"email": "ada@example.org", "name": null}], "cc": [], "bcc": [], "reply_to": null}'::jsonb],
    tags => ARRAY[$4::jsonb], metadata => NULL, batch_ids => NULL, template_ids => NULL, template_versions => NULL,
    searches => NULL, key_ids => NULL, unsubscribe_groups => NULL, texts_from_html => ARRAY[false], htmls => NULL,
    texts => ARRAY['Hello'], headers => NULL, template_data => NULL, mimes => NULL,
    recipient_numbers => ARRAY[1], positions => ARRAY[0::smallint], kinds => ARRAY['to'],
    recipients => ARRAY['ada@example.org'], attachment_numbers => NULL, attachment_positions => NULL, filenames => NULL,
    content_types => NULL, content_ids => NULL, attachments => NULL)`);

async function storeAsBefore({ db }: TestDatabase): Promise<{ organizationId: string; id: string }> {
  const organizationId = newId('org');
  const id = uuidv7(Date.now());
  await db.exec(adHoc("INSERT INTO organizations (id, name, created_at) VALUES ($1, 'Shop', now())"), [
    organizationId,
  ]);
  await ensurePartitions(db, Date.now(), 0);
  await db.exec(insertEmails, [organizationId, id, Date.now(), JSON.stringify(TAGS)]);
  return { organizationId, id };
}

function shownOf({ db }: TestDatabase, { organizationId, id }: { organizationId: string; id: string }) {
  return findEmail(db, { organizationId, sentWith: null, domain: null }, id);
}

const SHOWN = { stream: 'news', tags: [{ name: 'kind', value: 'digest' }] };

it('shows the stream of mail that was accepted before the migration', async () => {
  const test = await createEmptyDatabase();
  onTestFinished(() => test.drop());
  await migrate(test.url, { migrations: readMigrations().slice(0, BEFORE) });
  const email = await storeAsBefore(test);
  await migrate(test.url);
  expect(await shownOf(test, email)).toMatchObject(SHOWN);
});

it('shows the stream of mail that a process of release 0.1.0 accepts after the migration', async () => {
  const test = await createTestDatabase();
  onTestFinished(() => test.drop());
  expect(await shownOf(test, await storeAsBefore(test))).toMatchObject(SHOWN);
});
