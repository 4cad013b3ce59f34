import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { newDelivery, SandboxFixture } from '../support/sandbox.ts';

const MESSAGE = 'From: a@sandbox.test\r\nSubject: Hello\r\n\r\nHello\r\n';

let database: TestDatabase;
let fixture: SandboxFixture;

beforeAll(async () => {
  database = await createTestDatabase();
  fixture = new SandboxFixture(database.db);
  await fixture.start();
});

afterAll(async () => {
  await fixture?.stop();
  await database?.drop();
});

async function captured(emailId: string): Promise<number> {
  const count = adHoc<{ count: number }>('SELECT count(*) FROM sandbox_messages WHERE email_id = $1');
  return (await database.db.one(count, [emailId])).count;
}

async function greylisted(emailId: string): Promise<number> {
  const count = adHoc<{ count: number }>('SELECT count(*) FROM sandbox_greylist WHERE email_id = $1');
  return (await database.db.one(count, [emailId])).count;
}

describe('a simulator address', () => {
  it.each([
    ['bounced', 550, '5.1.1'],
    ['full', 552, '5.2.2'],
    ['blocked', 554, '5.7.1'],
    ['deferred', 450, '4.2.1'],
    ['nobody', 550, '5.1.1'],
  ])('%s is refused at RCPT with %i %s, and nothing is kept', async (name, code, enhanced) => {
    const delivery = newDelivery();
    const facts = await fixture.send(delivery, `${name}+label@simulator.test`, MESSAGE);
    expect(facts).toMatchObject({ kind: 'refused', phase: 'rcpt', reply: { code, enhanced } });
    expect(await captured(delivery.emailId)).toBe(0);
  });

  it('deferred stays deferred however often it is tried', async () => {
    const delivery = newDelivery();
    for (let attempt = 0; attempt < 3; attempt++) {
      const facts = await fixture.send(delivery, 'deferred@simulator.test', MESSAGE);
      expect(facts).toMatchObject({ kind: 'refused', reply: { code: 450 } });
    }
  });

  it('delivered is taken and kept', async () => {
    const delivery = newDelivery();
    const facts = await fixture.send(delivery, 'delivered@simulator.test', MESSAGE);
    expect(facts).toMatchObject({ kind: 'accepted', reply: { code: 250, enhanced: '2.0.0' } });
    expect(facts.host).toBe('sandbox.postrider.test');
    expect(await captured(delivery.emailId)).toBe(1);
  });

  it('busy is refused with 421 and loses its connection', async () => {
    const facts = await fixture.send(newDelivery(), 'busy@simulator.test', MESSAGE);
    expect(facts).toMatchObject({ kind: 'refused', phase: 'rcpt', reply: { code: 421 } });
    const after = await fixture.send(newDelivery(), 'delivered@simulator.test', MESSAGE);
    expect(after).toMatchObject({ kind: 'accepted', reused: false });
  });

  it('slow is taken five seconds after the final dot', async () => {
    const started = performance.now();
    const facts = await fixture.send(newDelivery(), 'slow@simulator.test', MESSAGE);
    expect(facts).toMatchObject({ kind: 'accepted', reply: { code: 250 } });
    expect(performance.now() - started).toBeGreaterThan(4_990);
  });

  it('greylisted is turned away once, also across a restart, and then forgotten', async () => {
    const delivery = newDelivery();
    const first = new SandboxFixture(database.db);
    await first.start();
    const refused = await first.send(delivery, 'greylisted@simulator.test', MESSAGE);
    await first.stop();
    expect(refused).toMatchObject({
      kind: 'refused',
      phase: 'rcpt',
      reply: { code: 451, enhanced: '4.7.1' },
    });
    expect(await greylisted(delivery.emailId)).toBe(1);

    const second = new SandboxFixture(database.db);
    await second.start();
    const taken = await second.send(delivery, 'greylisted@simulator.test', MESSAGE);
    await second.stop();
    expect(taken).toMatchObject({ kind: 'accepted', reply: { code: 250 } });
    expect(await captured(delivery.emailId)).toBe(1);
    expect(await greylisted(delivery.emailId)).toBe(0);
  });

  it('greylisted judges every delivery for itself', async () => {
    const one = newDelivery();
    const other = { ...one, position: 1 };
    await fixture.send(one, 'greylisted@simulator.test', MESSAGE);
    const facts = await fixture.send(other, 'greylisted+b@simulator.test', MESSAGE);
    expect(facts).toMatchObject({ kind: 'refused', reply: { code: 451 } });
  });
});

describe('starting the receiver', () => {
  it('forgets greylisted deliveries that never came back', async () => {
    const { emailId } = newDelivery();
    const insert = adHoc(
      "INSERT INTO sandbox_greylist (email_id, position, seen_at) VALUES ($1, 0, now() - interval '30 days')",
    );
    await database.db.exec(insert, [emailId]);
    const next = new SandboxFixture(database.db);
    await next.start();
    await next.stop();
    expect(await greylisted(emailId)).toBe(0);
  });
});
