/**
 * Browsers that somebody has signed in with before. Each keeps a cookie, signed for one account and its password of that
 * time, which lets nobody in: it only says that guesses from there are not a stranger's, so that a stranger's guesses do
 * not keep the owner of an account out. A new password makes all of them strangers.
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

  /** What the browser keeps. */
  issue(account: Account): string {
    const id = randomBytes(ID_BYTES).toString('base64url');
    return `${id}.${this.#sign(id, account).toString('base64url')}`;
  }

  /** The device's own name, or undefined where it is not known to this account. */
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
