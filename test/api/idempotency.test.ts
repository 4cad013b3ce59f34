import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { toDraft } from '../../src/emails/http/send-request.ts';
import type { SendBody } from '../../src/emails/schema.ts';
import { createLifetime } from '../../src/outbox/lifetime.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { Acceptor } from '../../src/submission/accept.ts';
import { NO_SETTINGS } from '../../src/submission/defaults.ts';
import { endReservation, reserve, runReserved } from '../../src/submission/idempotency/run.ts';
import { LinkedFiles } from '../../src/submission/linked-files.ts';
import { type Accepted, submit } from '../../src/submission/submit.ts';
import { TemplateLibrary } from '../../src/templates/library.ts';
import { type Answer, startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { holding } from '../support/database.ts';
import { insertReadMail } from '../support/receiving.ts';

describe('an Idempotency-Key', () => {
  let one: TestApi;
  let two: TestApi;
  let organization: TestOrganization;
  const clock = { aheadMs: 0, nowMs: () => Date.now() + clock.aheadMs };

  beforeAll(async () => {
    one = await startApi({ clock });
    two = await startApi({ database: one.database });
  });
  afterAll(async () => {
    await two.stop();
    await one.stop();
  });
  beforeEach(async () => {
    organization = await one.createOrganization();
  });

  const body = (fields: Record<string, unknown> = {}) => ({
    from: { email: `a@${organization.domain}` },
    to: [{ email: 'u@example.org' }],
    subject: 'Receipt',
    text: 'Thank you.',
    ...fields,
  });

  const send = (key: string, fields: Record<string, unknown> = {}, api = one) =>
    post('/emails/send', key, body(fields), api);

  async function post(path: string, key: string, given: object, api = one): Promise<Answer> {
    const response = await fetch(`${api.url}/api/v1${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${organization.key}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(given),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  const stored = async () => {
    const count = adHoc<{ count: number }>('SELECT count(*) AS count FROM emails WHERE organization_id = $1');
    return (await one.db.one(count, [organization.id])).count;
  };

  describe('of a door that speaks no HTTP', () => {
    const answer = ({ id }: Accepted) => ({ status: 250, body: { queued_as: id } });

    async function submitOnce(key: string, fields: Record<string, unknown> = {}) {
      const { db } = one;
      const waker = { wake: () => undefined, withCommit: () => null };
      const deps = {
        db,
        acceptor: new Acceptor({ db, mode: 'live', lifetimeMs: createLifetime(1), waker }),
        templates: new TemplateLibrary(db),
        autoValidation: { isOn: async () => false, refusedAmong: async () => [] },
        ...NO_SETTINGS,
        streams: { of: async () => undefined, names: async () => [] },
        files: new LinkedFiles({ fetchFile: async () => ({ kind: 'no_room' }) }),
        clock: systemClock,
        hasDiskSpace: () => true,
      };
      const sender = { organizationId: organization.id, keyId: null, tiedTo: null, policy: null };
      const begun = await reserve(db, { organizationId: organization.id, key, hash: Buffer.alloc(32) });
      if (begun.kind !== 'begun') return begun;
      const { run } = begun;
      const draft = toDraft(body(fields) as SendBody, []);
      const done = await runReserved(db, run, () => submit(deps, sender, draft, { run, answer }));
      if (done.kind !== 'done') throw new Error('It was taken over.');
      if (done.result.kind === 'accepted') return { kind: 'done', answer: answer(done.result) };
      await endReservation(db, run, null);
      return done.result;
    }

    it('makes one email of many at once, and gives its answer to all', async () => {
      const outcomes = await Promise.all(Array.from({ length: 5 }, () => submitOnce('door/1')));
      const kinds = outcomes.map(({ kind }) => kind);
      expect(kinds.toSorted()).toEqual(['answered', 'answered', 'answered', 'answered', 'done']);
      const answers = outcomes.map((outcome) => 'answer' in outcome && outcome.answer);
      expect(answers).toEqual(Array(5).fill({ status: 250, body: { queued_as: expect.any(String) } }));
      expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
      expect(await stored()).toBe(1);
    });

    it('is free again after a refusal', async () => {
      const from = { email: 'a@unverified.example' };
      expect(await submitOnce('door/2', { from })).toMatchObject({ kind: 'domain_not_verified', at: 'from' });
      expect(await submitOnce('door/2')).toMatchObject({ kind: 'done' });
      expect(await stored()).toBe(1);
    });
  });

  it('replays the first answer, word for word', async () => {
    const first = await send('receipt/1');
    const again = await send('receipt/1');
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await stored()).toBe(1);
  });

  it('accepts once with 50 requests at once on two API processes; the rest replay it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => send('receipt/2', {}, i % 2 ? one : two)),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => answer.body.data.message_id)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === 'true')).toHaveLength(49);
    expect(await stored()).toBe(1);
  });

  it('conflicts with a different body', async () => {
    await send('receipt/3');
    const other = await send('receipt/3', { subject: 'Another' });
    expect(other.status).toBe(409);
    expect(other.body.error.code).toBe('IDEMPOTENCY_CONFLICT');
    expect(await stored()).toBe(1);
  });

  it('conflicts with the same reply to another mail', async () => {
    const address = `support@${organization.domain}`;
    const received = () => insertReadMail(one.db, { id: organization.id, address });
    const reply = async (id: string) => post(`/inbound/${id}/reply`, 'reply', { text: 'Thank you.' });
    const [first, second] = [await received(), await received()];
    expect((await reply(first)).status).toBe(201);
    expect((await reply(second)).body.error.code).toBe('IDEMPOTENCY_CONFLICT');
    expect((await reply(first)).headers.get('idempotent-replayed')).toBe('true');
    expect(await stored()).toBe(1);
  });

  it('takes the same fields in another order for another body: the same body is the same bytes', async () => {
    await send('receipt/4', { tags: [{ name: 'a', value: 'b' }] });
    const again = await send('receipt/4', { tags: [{ value: 'b', name: 'a' }] });
    expect(again.status).toBe(409);
  });

  it('keeps a refusal that the request alone is the reason of', async () => {
    const template = { name: 'Receipt', subject: 'x', text: 'Hi' };
    const made = await one.api('POST', '/templates', template, organization.key);
    const template_id = made.body.data.id;
    for (const mistake of [{ priority: 'urgent' }, { template_id, text: undefined, subject: '{{#if' }]) {
      const first = await send(`mistake/${Object.keys(mistake)[0]}`, mistake);
      const again = await send(`mistake/${Object.keys(mistake)[0]}`, mistake);
      expect(first.status).toBe(400);
      expect(first.headers.get('idempotent-replayed')).toBeNull();
      expect(again.status).toBe(400);
      expect(again.body).toEqual(first.body);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    }
  });

  it('does not keep that a domain was not verified', async () => {
    const domain = `late-${organization.domain}`;
    const fields = { from: { email: `a@${domain}` } };
    expect((await send('receipt/5', fields)).body.error.code).toBe('DOMAIN_NOT_VERIFIED');
    await one.addVerifiedDomain(organization.id, domain);
    expect((await send('receipt/5', fields)).status).toBe(201);
  });

  it('does not keep that a recipient was suppressed', async () => {
    const address = { email: 'u@example.org', reason: 'manual' };
    const listed = await one.api('POST', '/suppressions', address, organization.key);
    expect((await send('receipt/8')).body.error.code).toBe('RECIPIENTS_SUPPRESSED');
    await one.api('DELETE', `/suppressions/${listed.body.data.id}`, undefined, organization.key);
    expect((await send('receipt/8')).status).toBe(201);
  });

  it('does not keep that a template was missing, or wanted other data', async () => {
    const template = { name: 'Receipt', subject: 'x', text: 'Hi {{name}}' };
    const rules = [{ name: 'name', type: 'string', required: true }];
    const made = await one.api(
      'POST',
      '/templates',
      { ...template, variable_schema: rules },
      organization.key,
    );
    const { id } = made.body.data;
    const fields = { template_id: id, text: undefined };
    expect((await send('receipt/9', fields)).body.error.code).toBe('VALIDATION_ERROR');
    await one.api('PUT', `/templates/${id}`, { variable_schema: [] }, organization.key);
    expect((await send('receipt/9', fields)).status).toBe(201);
  });

  it('does not keep that a key may not send from a domain', async () => {
    const { key } = organization;
    const tied = await one.createKey(organization.id, { domain: 'elsewhere.test' });
    organization = { ...organization, key: tied };
    expect((await send('receipt/10')).status).toBe(403);
    organization = { ...organization, key };
    expect((await send('receipt/10')).status).toBe(201);
  });

  it('is answered before the body is judged again: what was in time then may be in the past now', async () => {
    const scheduled_at = new Date(clock.nowMs() + 60_000).toISOString();
    const first = await send('receipt/11', { scheduled_at });
    clock.aheadMs = 3_600_000;
    const again = await send('receipt/11', { scheduled_at });
    clock.aheadMs = 0;
    expect(first.status).toBe(201);
    expect(again.body).toEqual(first.body);
  });

  it('does not keep a 429, so that a retry can work', async () => {
    await one.db.exec(adHoc('UPDATE organizations SET daily_limit = 1 WHERE id = $1'), [organization.id]);
    await send('receipt/6');
    expect((await send('receipt/7')).status).toBe(429);
    await one.db.exec(adHoc('UPDATE organizations SET daily_limit = 2 WHERE id = $1'), [organization.id]);
    expect((await send('receipt/7')).status).toBe(201);
  });

  it('belongs to one organization', async () => {
    await send('shared');
    organization = await one.createOrganization('Other');
    const answer = await send('shared');
    expect(answer.status).toBe(201);
    expect(answer.headers.get('idempotent-replayed')).toBeNull();
  });

  it('tells a key of another domain nothing', async () => {
    await send('tied');
    const key = await one.createKey(organization.id, { scope: 'send', domain: 'elsewhere.test' });
    organization = { ...organization, key };
    const answer = await send('tied');
    expect(answer.status).toBe(409);
    expect(JSON.stringify(answer.body)).not.toContain('message_id');
  });

  it('is forgotten after 24 hours', async () => {
    await send('old');
    await one.db.exec(adHoc(`UPDATE idempotency_keys SET created_at = created_at - interval '25 hours'`));
    expect((await send('old')).headers.get('idempotent-replayed')).toBeNull();
    expect(await stored()).toBe(2);
  });

  it('of a request whose process died a moment ago is taken over by one that waits', async () => {
    await send('died');
    await one.db.exec(
      adHoc(`UPDATE idempotency_keys SET status = NULL, answer = NULL, started_at = now()
             WHERE organization_id = $1`),
      [organization.id],
    );
    const repeated = await send('died');
    expect(repeated.status).toBe(201);
    expect(repeated.headers.get('idempotent-replayed')).toBeNull();
  });

  it('of a request whose process died before the clock was set back is taken over', async () => {
    await send('set-back');
    await one.db.exec(
      adHoc(`UPDATE idempotency_keys SET status = NULL, answer = NULL, started_at = now() + interval '1 hour'
             WHERE organization_id = $1`),
      [organization.id],
    );
    expect((await send('set-back')).status).toBe(201);
  });

  it('of a request that takes long is not taken over while its process lives', async () => {
    const [slow, twin] = await heldUp(async () => {
      const begun = await startedAt('slow');
      await expect.poll(() => startedAt('slow')).not.toEqual(begun);
    }, 'slow');
    expect(slow?.body).toEqual(twin?.body);
    expect(await stored()).toBe(1);
  });

  it('makes one email although the first request was taken for dead and then committed', async () => {
    const answers = await heldUp(async () => {
      const first = await runOf('frozen');
      await expect
        .poll(async () => {
          await one.db.exec(adHoc(`UPDATE idempotency_keys SET started_at = now() - interval '1 minute'`));
          return runOf('frozen');
        })
        .not.toBe(first);
    }, 'frozen');
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect(await stored()).toBe(1);
  });

  const column = async (name: string, key: string) =>
    (
      await one.db.maybeOne(
        adHoc<{ value: unknown }>(
          `SELECT ${name}::text AS value FROM idempotency_keys WHERE organization_id = $1 AND key = $2`,
        ),
        [organization.id, key],
      )
    )?.value;
  const runOf = (key: string) => column('run', key);
  const startedAt = (key: string) => column('started_at', key);

  /** Two requests with a key, on two processes; nothing can be committed until `meanwhile` is through. */
  async function heldUp(meanwhile: () => Promise<void>, key: string): Promise<Answer[]> {
    let answers: Promise<Answer[]> = Promise.resolve([]);
    await holding(one.db, async (tx) => {
      await tx.exec(adHoc('LOCK TABLE emails IN SHARE MODE'));
      const first = send(key, {}, one);
      await expect.poll(() => runOf(key)).toBeTypeOf('string');
      answers = Promise.all([first, send(key, {}, two)]);
      await meanwhile();
    });
    return answers;
  }

  it.each(['x'.repeat(257), 'tab\tbed'])('must be 1 to 256 printable characters', async (key) => {
    const answer = await send(key);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[0].field).toBe('Idempotency-Key');
  });
});
