/**
 * Browsers that have signed in before. Each keeps a cookie that is signed for one account and its current password.
 * The cookie grants no access. It only separates guesses from this browser from guesses elsewhere, so that an
 * attacker cannot lock the owner out. A new password invalidates all of an account's cookies.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { UserRow } from './store.ts';

const ID_BYTES = 16;
const COOKIE = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

type Account = Pick<UserRow, 'id' | 'password'>;

export class KnownDevices {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** The value of the cookie. */
  issue(account: Account): string {
    const id = randomBytes(ID_BYTES).toString('base64url');
    return `${id}.${this.#sign(id, account).toString('base64url')}`;
  }

  /** The device's id, or undefined when this account has not issued the cookie. */
  recognise(cookie: string | undefined, account: Account): string | undefined {
    const [, id, signature] = COOKIE.exec(cookie ?? '') ?? [];
    if (id === undefined || signature === undefined) return undefined;
    const right = timingSafeEqual(Buffer.from(signature, 'base64url'), this.#sign(id, account));
    return right ? id : undefined;
  }

  #sign(id: string, { id: userId, password }: Account): Buffer {
    return createHmac('sha256', this.#key).update(`known-device\n${id}\n${userId}\n${password}`).digest();
  }
}
