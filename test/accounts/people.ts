/** People with browsers: each keeps its cookie, and says where its requests come from. */
import { adHoc } from '../../src/database/sql.ts';
import { INSTALLATION } from '../../src/organizations/installation.ts';
import type { Role } from '../../src/runtime/permissions.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { SETUP_TOKEN } from '../support/secret-key.ts';

export const PASSWORD = 'correct horse battery';

export class Person {
  readonly #url: string;
  readonly email: string;
  cookie: string | undefined;
  /** What says that this browser has signed in before; a test that wants a stranger's takes it off. */
  device: string | undefined;
  /** The whole of the last Set-Cookie. */
  setCookie: string | undefined;
  id = '';

  constructor(server: Pick<TestApi, 'url'>, email: string) {
    this.#url = server.url;
    this.email = email;
  }

  async api(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
  ): Promise<Answer> {
    const response = await fetch(path.startsWith('/api/') ? this.#url + path : `${this.#url}/api/v1${path}`, {
      method,
      headers: {
        ...headers,
        ...this.#cookies(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    this.#keep(response.headers.getSetCookie());
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  signIn(password = PASSWORD, code?: string): Promise<Answer> {
    return this.api('POST', '/auth/sign-in', {
      email: this.email,
      password,
      ...(code === undefined ? {} : { code }),
    });
  }

  async isSignedIn(): Promise<boolean> {
    return (await this.api('GET', '/auth/me')).status === 200;
  }

  #cookies(): Record<string, string> {
    const all = [this.cookie, this.device].filter((one) => one !== undefined);
    return all.length === 0 ? {} : { cookie: all.join('; ') };
  }

  #keep(setCookies: readonly string[]): void {
    for (const setCookie of setCookies) {
      const [pair = ''] = setCookie.split(';');
      if (pair.includes('postrider_device')) this.device = pair;
      else {
        this.setCookie = setCookie;
        this.cookie = pair.endsWith('=') ? undefined : pair;
      }
    }
  }
}

/** The first user, who owns the first organization there is. */
export async function signUpOwner(server: TestApi, email = 'owner@example.org'): Promise<Person> {
  const owner = new Person(server, email);
  const answer = await owner.api('POST', '/auth/sign-up', {
    email,
    password: PASSWORD,
    setup_token: SETUP_TOKEN,
  });
  if (answer.status !== 201) throw new Error(`sign-up: ${JSON.stringify(answer.body)}`);
  owner.id = answer.body.data.user.id;
  return owner;
}

/** Somebody new who joins the organization that `owner` works in, by an invite. */
export async function join(server: TestApi, owner: Person, email: string, role: Role): Promise<Person> {
  const invite = await owner.api('POST', '/members/invites', { email, role });
  if (invite.body.data?.mailed !== true) throw new Error(`invite: ${JSON.stringify(invite.body)}`);
  const person = new Person(server, email);
  const token = await mailedToken(server, email);
  const answer = await person.api('POST', `/invites/${token}/accept`, { name: email, password: PASSWORD });
  if (answer.status !== 200) throw new Error(`invite: ${JSON.stringify(answer.body)}`);
  person.id = answer.body.data.user.id;
  return person;
}

/** Another organization of its own owner, who knows nothing of the first. */
export async function strangerOf(server: TestApi, owner: Person, email: string): Promise<Person> {
  const home = (await owner.api('GET', '/auth/me')).body.data.organization.id;
  const { body } = await owner.api('POST', '/organizations', { name: `Of ${email}` });
  await owner.api('POST', '/auth/organization', { organization_id: body.data.id });
  const stranger = await join(server, owner, email, 'owner');
  await stranger.api('DELETE', `/members/${owner.id}`);
  // Removed from where it worked, the owner's session has ended.
  await owner.signIn();
  const back = await owner.api('GET', '/auth/me');
  if (back.body.data.organization.id !== home) throw new Error('the owner did not get home');
  return stranger;
}

/** The newest mail of the installation to somebody: nobody else has its link. */
export async function mailedText(server: Pick<TestApi, 'db'>, email: string): Promise<string> {
  const row = await server.db.maybeOne(
    adHoc<{ text: string }>(
      `SELECT c.text FROM emails e
       JOIN email_contents c ON c.organization_id = e.organization_id AND c.email_id = e.id
       WHERE e.organization_id = $1 AND e.addresses->'to'->0->>'email' = $2 ORDER BY e.id DESC LIMIT 1`,
    ),
    [INSTALLATION, email.toLowerCase()],
  );
  return row?.text ?? '';
}

export async function mailedToken(server: Pick<TestApi, 'db'>, email: string): Promise<string> {
  return tokenOf(await mailedText(server, email));
}

export function tokenOf(link: string): string {
  return /[\w-]{43}/.exec(link)?.[0] ?? '';
}

/** By the alphabet of RFC 4648, as an app reads it. */
export function decodedBase32(base32: string): Buffer {
  const bits = [...base32]
    .map((char) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}

/** A clock that goes when it is told to, from now on. */
export class MovableClock {
  ms = Date.now();
  nowMs(): number {
    return this.ms;
  }
}
