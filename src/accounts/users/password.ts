/**
 * Passwords at rest: scrypt, stored with its parameters, so that they can grow. One that was hashed with others than
 * today's is hashed again when its owner signs in.
 *
 * scrypt works on the thread pool that file and DNS work share, for a third of a second and 32 MiB each. So few run
 * at once, a bounded number wait for a bounded time, and beyond that callers are told to try again.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../kit/service-error.ts';

export interface ScryptCost {
  /** log2 of N. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

export const SCRYPT_COST: ScryptCost = { ln: 15, r: 8, p: 3 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;
const AT_ONCE = 2;
const MAX_WAITING = 64;
const LONGEST_WAIT_MS = 600;
const RETRY_SECONDS = 2;
const TOO_MANY = `Many passwords are being checked at the moment. Try again in ${RETRY_SECONDS} s.`;

export interface PasswordCheck {
  readonly right: boolean;
  /** Right, and to be hashed again. */
  readonly outdated: boolean;
}

export class Passwords {
  readonly #cost: ScryptCost;
  readonly #nobody: string;
  readonly #longestWaitMs: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(cost: ScryptCost = SCRYPT_COST, longestWaitMs = LONGEST_WAIT_MS) {
    this.#cost = cost;
    this.#longestWaitMs = longestWaitMs;
    this.#nobody = format(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
  }

  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return format(this.#cost, salt, await this.#derive(password, salt, this.#cost));
  }

  /** `stored` null: there is no such user, and finding that out takes as long. */
  async verify(password: string, stored: string | null): Promise<PasswordCheck> {
    const { cost, salt, hash } = parse(stored ?? this.#nobody);
    const given = await this.#derive(password, salt, cost);
    const right = timingSafeEqual(given, hash) && stored !== null;
    return { right, outdated: right && !isSame(cost, this.#cost) };
  }

  async #derive(password: string, salt: Buffer, cost: ScryptCost): Promise<Buffer> {
    await this.#turn();
    try {
      return await derive(password.normalize('NFKC'), salt, cost);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  /** Whoever is let in takes over the place of the one before. */
  async #turn(): Promise<void> {
    if (this.#running < AT_ONCE) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= MAX_WAITING) throw tooMany();
    await new Promise<void>((resolve, reject) => {
      const goOn = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(goOn), 1);
        reject(tooMany());
      }, this.#longestWaitMs);
      this.#waiting.push(goOn);
    });
  }
}

function tooMany(): ServiceError {
  return new ServiceError('RATE_LIMITED', TOO_MANY, { retryAfterSeconds: RETRY_SECONDS });
}

function derive(password: string, salt: Buffer, { ln, r, p }: ScryptCost): Promise<Buffer> {
  const N = 2 ** ln;
  // The default limit of 32 MiB is what these parameters need, not counting what p adds.
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
