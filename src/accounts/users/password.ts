/**
 * Hashes passwords with scrypt and stores the parameters with each hash, so that they can grow. A password with
 * outdated parameters is hashed again when its owner signs in.
 *
 * scrypt uses the thread pool that file and DNS work share, for a third of a second and 32 MiB per hash. Few hashes
 * run at once, and a bounded number wait for a bounded time; further callers are told to retry. Network addresses
 * without a running hash go first, so that one address that guesses at full speed cannot block sign-ins from others.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../runtime/service-error.ts';

export interface ScryptCost {
  /** log2 of N. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

const SCRYPT_COST: ScryptCost = { ln: 15, r: 8, p: 3 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;
const AT_ONCE = 2;
const MAX_WAITING = 64;
const MAX_WAITING_OF_ONE = 8;
const LONGEST_WAIT_MS = 600;
const RETRY_SECONDS = 2;
const TOO_MANY = `Many passwords are being checked at the moment. Try again in ${RETRY_SECONDS} s.`;

interface PasswordCheck {
  readonly right: boolean;
  /** The password is right and should be hashed again with the current parameters. */
  readonly outdated: boolean;
}

export class Passwords {
  readonly #cost: ScryptCost;
  readonly #dummyHash: string;
  readonly #longestWaitMs: number;
  readonly #waiting: Waiting[] = [];
  /** The network addresses whose passwords are being hashed, one entry per hash. */
  readonly #running: string[] = [];

  constructor(cost: ScryptCost = SCRYPT_COST, longestWaitMs = LONGEST_WAIT_MS) {
    this.#cost = cost;
    this.#longestWaitMs = longestWaitMs;
    this.#dummyHash = format(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
  }

  /** `caller`: the network address on whose behalf the password is hashed. */
  async hash(password: string, caller: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const hash = await this.#withSlot(caller, () => derive(password.normalize('NFKC'), salt, this.#cost));
    return format(this.#cost, salt, hash);
  }

  /** `stored` is null when the user does not exist; the check takes equally long. */
  async verify(password: string, stored: string | null, caller: string): Promise<PasswordCheck> {
    const { cost, salt, hash } = parse(stored ?? this.#dummyHash);
    const given = await this.#withSlot(caller, () => derive(password.normalize('NFKC'), salt, cost));
    const right = timingSafeEqual(given, hash) && stored !== null;
    return { right, outdated: right && !isSame(cost, this.#cost) };
  }

  async #withSlot<T>(caller: string, work: () => Promise<T>): Promise<T> {
    if (this.#running.length < AT_ONCE) this.#running.push(caller);
    else await this.#wait(caller);
    try {
      return await work();
    } finally {
      this.#running.splice(this.#running.indexOf(caller), 1);
      this.#startNext();
    }
  }

  /** Prefers a caller with nothing running, then the longest-waiting one. */
  #startNext(): void {
    const next = this.#waiting.find(({ caller }) => !this.#running.includes(caller)) ?? this.#waiting[0];
    if (next === undefined) return;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#running.push(next.caller);
    next.goOn();
  }

  async #wait(caller: string): Promise<void> {
    const own = this.#waiting.filter((one) => one.caller === caller).length;
    if (this.#waiting.length >= MAX_WAITING || own >= MAX_WAITING_OF_ONE) throw tooMany();
    await new Promise<void>((resolve, reject) => {
      const goOn = () => {
        clearTimeout(timer);
        resolve();
      };
      const waiting = { caller, goOn };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(tooMany());
      }, this.#longestWaitMs);
      this.#waiting.push(waiting);
    });
  }
}

interface Waiting {
  readonly caller: string;
  readonly goOn: () => void;
}

function tooMany(): ServiceError {
  return new ServiceError('RATE_LIMITED', TOO_MANY, { retryAfterSeconds: RETRY_SECONDS });
}

function derive(password: string, salt: Buffer, { ln, r, p }: ScryptCost): Promise<Buffer> {
  const N = 2 ** ln;
  // The default limit of 32 MiB covers these parameters without p.
  const options: ScryptOptions = { N, r, p, maxmem: 2 * 128 * r * (N + p) };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function format({ ln, r, p }: ScryptCost, salt: Buffer, hash: Buffer): string {
  return `scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

const STORED = /^scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/;

function parse(stored: string) {
  const [, ln, r, p, salt = '', hash = ''] = STORED.exec(stored) ?? [];
  if (hash === '') throw new Error('A stored password is damaged.');
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
}

function isSame(a: ScryptCost, b: ScryptCost): boolean {
  return a.ln === b.ln && a.r === b.r && a.p === b.p;
}
