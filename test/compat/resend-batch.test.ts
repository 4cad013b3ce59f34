/** Many emails in one request, and recipients who are suppressed, as Resend's own client sends them. */
import type { CreateEmailOptions } from 'resend';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inboxOf } from '../support/inbox.ts';
import { type ResendFixture, startResend } from '../support/resend.ts';
import { until } from '../support/until.ts';

let fixture: ResendFixture;

beforeAll(async () => {
  fixture = await startResend();
});
afterAll(() => fixture.stop());

describe('batch.send', () => {
  const emails = (...subjects: string[]) => subjects.map((subject) => fixture.letter({ subject }));

  it('sends different emails at once', async () => {
    const { resend } = fixture;
    const { data, error } = await resend.batch.send(emails('First', 'Second'));
    expect(error).toBeNull();
    const subjects = await Promise.all(
      (data?.data ?? []).map(async ({ id }) => (await resend.emails.get(id)).data?.subject),
    );
    expect(subjects).toEqual(['First', 'Second']);
  });

  it('sends none where one is wrong, and says which', async () => {
    const { server, client, letter } = fixture;
    const own = await server.createOrganization('Strict');
    const good = letter({ from: `a@${own.domain}` });
    for (const [wrong, status, words] of [
      [{ to: 'nobody' }, 422, /^Invalid `emails\[1\]\.to\[0\]` field: /],
      [
        { from: 'a@elsewhere.test' },
        403,
        /^emails\[1\] was refused, so no email was accepted\. Mail from elsewhere/,
      ],
    ] as const) {
      const { error } = await client(own.key).batch.send([good, { ...good, ...wrong }]);
      expect(error).toMatchObject({ statusCode: status, message: expect.stringMatching(words) });
    }
    expect((await client(own.key).emails.list()).data?.data).toEqual([]);
  });

  it('sends the rest in permissive mode', async () => {
    const { resend, letter } = fixture;
    const [good, other] = emails('Good', 'Other');
    const wrong = [letter({ to: 'nobody' }), letter({ from: 'a@elsewhere.test' })];
    const batch = [wrong[0], good, wrong[1], other] as CreateEmailOptions[];
    const { data } = await resend.batch.send(batch, { batchValidation: 'permissive' });
    expect(data?.data).toHaveLength(2);
    expect(data?.errors).toEqual([
      { index: 0, message: expect.stringMatching(/^Invalid `to\[0\]` field: /) },
      { index: 2, message: expect.stringContaining('elsewhere.test') },
    ]);
  });

  it('is done once', async () => {
    const { resend } = fixture;
    const twice = () => resend.batch.send(emails('Once'), { idempotencyKey: 'batch-1' });
    expect((await twice()).data).toEqual((await twice()).data);
  });

  it('takes up to 100', async () => {
    const { resend, letter } = fixture;
    const many = Array.from({ length: 101 }, () => letter());
    for (const batch of [[], many]) {
      const { error } = await resend.batch.send(batch);
      expect(error).toMatchObject({ statusCode: 422, name: 'validation_error' });
    }
  });
});

describe('a recipient who is suppressed', () => {
  it('is accepted and reported, and the others get the email', async () => {
    const { server, org, resend, send } = fixture;
    await resend.suppressions.add({ email: 'never@example.org' });
    const alone = await send({ to: 'never@example.org' });
    const last = async () => (await resend.emails.get(alone)).data?.last_event;
    expect(await until(last, (event) => event === 'suppressed')).toBe('suppressed');
    const id = await send({ to: ['never@example.org', 'beside@example.org'] });
    expect((await inboxOf(server, org.key, 'beside@example.org')).email_id).toBe(id);
  });
});
