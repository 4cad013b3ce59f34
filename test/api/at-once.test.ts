/** Concurrent changes: the answers are as if the changes came one after the other, and no change is lost. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLink } from '../../src/accounts/users/account-link.ts';
import { insertUser } from '../../src/accounts/users/store.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { type Answer, sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';

const ROUNDS = 8;

let server: TestApi;
let organization: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
});
beforeEach(async () => {
  organization = await server.createOrganization();
});
afterAll(() => server.stop());

const api = (method: string, path: string, body?: unknown): Promise<Answer> =>
  server.api(method, path, body, organization.key);
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const ok = async (answer: Promise<Answer>): Promise<Answer['body']> => {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body.data;
};

describe('a template', () => {
  const create = () => ok(api('POST', '/templates', { name: 'T', subject: 'S', text: 'first' }));

  it('takes every change of six at a time, each as a version of its own', async () => {
    const { id } = await create();
    const texts = times(ROUNDS * 6, (i) => `text ${i}`);
    const answers: Answer[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const six = texts.slice(round * 6, round * 6 + 6);
      answers.push(...(await Promise.all(six.map((text) => api('PUT', `/templates/${id}`, { text })))));
    }
    expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 200));
    const versions = (await api('GET', `/templates/${id}/versions?limit=100`)).body.data;
    const kept = new Map(
      versions.map((one: { version: number; text_body: string }) => [one.version, one.text_body]),
    );
    expect([...kept.values()].sort()).toEqual(['first', ...texts].sort());
    // Each answer has its own version.
    for (const [index, { body }] of answers.entries()) {
      expect(body.data.text_body).toBe(texts[index]);
      expect(kept.get(body.data.version)).toBe(texts[index]);
    }
  });

  it('keeps changes to different fields that are made together', async () => {
    const { id } = await create();
    for (let round = 0; round < ROUNDS; round += 1) {
      const changes = [
        { name: `N${round}` },
        { subject: `S${round}` },
        { html: `H${round}` },
        { text: `T${round}` },
      ];
      await Promise.all(changes.map((change) => ok(api('PUT', `/templates/${id}`, change))));
      const now = await ok(api('GET', `/templates/${id}`));
      expect([now.name, now.subject, now.html_body, now.text_body]).toEqual(
        ['N', 'S', 'H', 'T'].map((letter) => `${letter}${round}`),
      );
    }
  });

  it('is restored and changed by many together, each as a version of its own', async () => {
    const { id } = await create();
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all([
        api('POST', `/templates/${id}/versions/1/restore`),
        api('PUT', `/templates/${id}`, { text: `second ${round}` }),
        api('POST', `/templates/${id}/versions/1/restore`),
        api('PUT', `/templates/${id}`, { text: `third ${round}` }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(answers.map(({ body }) => body.data.text_body)).toEqual([
        'first',
        `second ${round}`,
        'first',
        `third ${round}`,
      ]);
    }
  });

  it('that is deleted while it is changed ends deleted', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await create();
      const [deleted, ...changed] = await Promise.all([
        api('DELETE', `/templates/${id}`),
        ...times(4, (i) => api('PUT', `/templates/${id}`, { text: `${i}` })),
      ]);
      expect(deleted?.status).toBe(200);
      const counted = changed.filter(({ status }) => status === 200).length;
      expect(changed.every(({ status }) => status === 200 || status === 404)).toBe(true);
      expect(await ok(api('GET', `/templates/${id}`))).toMatchObject({
        is_active: false,
        version: counted + 1,
      });
    }
  });
});

describe('a webhook', () => {
  const create = () => api('POST', '/webhooks', { url: 'http://127.0.0.1:9/hook' });

  it('keeps changes to different fields that are made together', async () => {
    const { id } = await ok(create());
    for (let round = 0; round < ROUNDS; round += 1) {
      const enabled = round % 2 === 0;
      const event_types = enabled ? ['email.bounced'] : ['email.delivered'];
      const changes = [{ description: `D${round}` }, { enabled }, { event_types }];
      await Promise.all(changes.map((change) => ok(api('PATCH', `/webhooks/${id}`, change))));
      expect(await ok(api('GET', `/webhooks/${id}`))).toMatchObject({
        description: `D${round}`,
        enabled,
        event_types,
      });
    }
  });

  it('is one of at most 20, however many are made together', async () => {
    await Promise.all(times(17, () => ok(create())));
    const answers = await Promise.all(times(8, create));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
  });
});

describe('the retention settings', () => {
  it('keep changes to different fields that are made together', async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const changes = [{ content_days: round }, { email_days: 50 + round }];
      await Promise.all(changes.map((change) => ok(api('PUT', '/settings/retention', change))));
      expect(await ok(api('GET', '/settings/retention'))).toEqual({
        content_days: round,
        email_days: 50 + round,
      });
    }
  });

  it('never end up keeping content for longer than its email', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await ok(api('PUT', '/settings/retention', { content_days: 30, email_days: 90 }));
      const answers = await Promise.all([
        api('PUT', '/settings/retention', { content_days: 80 }),
        api('PUT', '/settings/retention', { email_days: 40 }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });
});

it('of suppression lists at most ten wait, however many are sent together', async () => {
  const send = () => api('POST', '/suppressions/import', { suppressions: [{ email: 'a@example.org' }] });
  await Promise.all(times(8, () => ok(send())));
  const answers = await Promise.all(times(8, send));
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 409, 409, 409, 409, 409, 409]);
});

it('nobody is mailed more than three links for a new password, however many are asked for together', async () => {
  const deps = { db: server.db, clock: systemClock, publicUrl: 'http://localhost' };
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = `usr_once${round}`;
    await insertUser(server.db, {
      ...{ id, email: `${id}@example.org`, name: null, password: '-', createdAt: new Date(), proof: null },
    });
    const asked = { userId: id, purpose: 'password', mailed: true } as const;
    const links = await Promise.all(times(9, () => createLink(deps, asked)));
    expect(links.filter((link) => link !== undefined)).toHaveLength(3);
  }
});
