/**
 * Different RSA key pairs like those of `generateRsa`, at little cost: finding primes is slow, and 20 primes make 190 pairs.
 */
import { createPrivateKey, createPublicKey, generatePrimeSync, type JsonWebKey } from 'node:crypto';
import type { KeyPair } from '../../src/domains/key-pairs.ts';

const PRIME_BITS = 1024;
const E = 65_537n;

const primes: bigint[] = [findPrime()];
/** Each prime is paired with all earlier primes. */
let next = 0;

export async function quickRsa(): Promise<KeyPair> {
  if (next === primes.length - 1) {
    primes.push(findPrime());
    next = 0;
  }
  const privateKey = createPrivateKey({
    key: jwkOf(primes.at(-1) as bigint, primes[next++] as bigint),
    format: 'jwk',
  });
  return {
    publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }),
  };
}

function findPrime(): bigint {
  for (;;) {
    const prime = generatePrimeSync(PRIME_BITS, { bigint: true });
    if ((prime - 1n) % E !== 0n) return prime;
  }
}

function jwkOf(p: bigint, q: bigint): JsonWebKey {
  const d = inverse(E, (p - 1n) * (q - 1n));
  const values = { n: p * q, e: E, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const encoded = Object.entries(values).map(([name, value]) => [name, base64url(value)]);
  return { kty: 'RSA', ...Object.fromEntries(encoded) };
}

/** By Euclid: `value * inverse(value, modulus)` is 1 modulo `modulus`. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [rest, divisor, result, following] = [modulus, value, 0n, 1n];
  while (divisor > 0n) {
    const times = rest / divisor;
    [rest, divisor, result, following] = [
      divisor,
      rest - times * divisor,
      following,
      result - times * following,
    ];
  }
  return ((result % modulus) + modulus) % modulus;
}

function base64url(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
}
