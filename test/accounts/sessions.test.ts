/** Where somebody is signed in, and ending a session elsewhere. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../support/api.ts';
import { join, Person, signUpOwner } from './people.ts';

let server: TestApi;
let owner: Person;
beforeAll(async () => {
  server = await startApi();
  await server.createOrganization('Default');
  owner = await signUpOwner(server);
});
afterAll(() => server.stop());

const listed = async (person: Person) => (await person.api('GET', '/auth/sessions')).body.data;

async function elsewhere(): Promise<Person> {
  const laptop = new Person(server, owner.email);
  const headers = { 'sec-fetch-site': 'same-origin', 'user-agent': 'Laptop/1.0' };
  const body = { email: owner.email, password: 'correct horse battery' };
  await laptop.api('POST', '/auth/sign-in', body, headers);
  return laptop;
}

describe('the sessions of a user', () => {
  it('are listed with the browser and the address, and say which one asks', async () => {
    await elsewhere();
    const sessions = await listed(owner);
    expect(sessions).toHaveLength(2);
    expect(sessions.filter((one: { current: boolean }) => one.current)).toHaveLength(1);
    expect(sessions).toContainEqual(
      expect.objectContaining({ user_agent: 'Laptop/1.0', address: '127.0.0.1', current: false }),
    );
    // Nothing that could be used to sign in.
    expect(JSON.stringify(sessions)).not.toContain(String(owner.cookie).split('=')[1]);
  });

  it('can be ended one by one, from another one', async () => {
    const laptop = await elsewhere();
    const id = (await listed(laptop)).find((one: { current: boolean }) => one.current).id;
    const { status, body } = await owner.api('DELETE', `/auth/sessions/${id}`);
    expect([status, body.data]).toEqual([200, { id, deleted: true }]);
    expect(await laptop.isSignedIn()).toBe(false);
    expect(await owner.isSignedIn()).toBe(true);
    expect((await owner.api('DELETE', `/auth/sessions/${id}`)).status).toBe(404);
  });

  it('of one are nobody else’s to see or to end', async () => {
    const member = await join(server, owner, 'member@example.org', 'member');
    const [own] = await listed(owner);
    expect((await listed(member)).map((one: { id: string }) => one.id)).not.toContain(own.id);
    expect((await member.api('DELETE', `/auth/sessions/${own.id}`)).status).toBe(404);
    expect(await owner.isSignedIn()).toBe(true);
  });
});
