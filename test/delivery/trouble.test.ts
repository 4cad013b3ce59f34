/**
 * PostgreSQL says no, in every way it has, while an outcome is recorded or mail is loaded. What a server took is
 * settled all the same, once.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { newId } from '../../src/runtime/ids.ts';
import { Live } from './live.ts';

/** One of each class, and two that nobody foresaw. */
const STATES = [
  '08006',
  '25P03',
  '25006',
  '40001',
  '40P01',
  '53100',
  '55P03',
  '57014',
  '58030',
  'XX000',
  '22012',
  'P0001',
];

let live: Live;
beforeAll(async () => {
  live = await Live.start({ sites: { well: {} } });
  await live.db.exec(adHoc('CREATE SEQUENCE refusals'));
  await live.db.exec(
    adHoc(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
           BEGIN
             IF nextval('refusals') <= 3 THEN RAISE EXCEPTION 'refused' USING ERRCODE = TG_ARGV[0]; END IF;
             RETURN coalesce(NEW, OLD);
           END $$`),
  );
  await live.startWorker();
});
afterAll(() => live.stop());

/** The next three times that a row of the table is touched so, PostgreSQL refuses with this state. */
async function refuse(what: 'DELETE' | 'INSERT', table: string, state: string, when = 'true'): Promise<void> {
  await live.db.exec(adHoc('DROP TRIGGER IF EXISTS refuses ON outbox'));
  await live.db.exec(adHoc('DROP TRIGGER IF EXISTS refuses ON events'));
  await live.db.exec(adHoc(`SELECT setval('refusals', 1, false)`));
  await live.db.exec(
    adHoc(
      `CREATE TRIGGER refuses BEFORE ${what} ON ${table} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION refuse('${state}')`,
    ),
  );
}

const typesOf = async (org: string) => (await live.events(org)).map(({ type }) => type);

describe('a delivery that cannot be settled at once', () => {
  it.each(STATES)('because of %s is settled later, as what it was', async (state) => {
    const sent = live.sink('well').messageCount;
    const org = newId('org');
    await refuse('DELETE', 'outbox', state);
    await live.seed('well', org, 2);
    await live.whenSent(org);
    expect(await typesOf(org)).toEqual(['processing', 'processing', 'delivered', 'delivered']);
    expect((await live.events(org)).every(({ recipient }) => recipient.endsWith('@well.test'))).toBe(true);
    expect(live.sink('well').messageCount).toBe(sent + 2);
  });
});

describe('an attempt whose beginning cannot be recorded', () => {
  it.each(['25P03', 'XX000', '22012'])('because of %s is made once, and settled', async (state) => {
    const sent = live.sink('well').messageCount;
    const org = newId('org');
    await refuse('INSERT', 'events', state, `NEW.type = 'processing'`);
    await live.seed('well', org, 1);
    await live.whenSent(org);
    expect((await typesOf(org)).filter((type) => type !== 'processing')).toEqual(['delivered']);
    expect(live.sink('well').messageCount).toBe(sent + 1);
  });
});
