/**
 * A proof lists what happened to an email. Each entry is hashed together with the previous hash, and the last hash is
 * signed, so that no byte can be changed and no entry removed. Pure. This file both creates and checks proofs, so
 * that checking one needs nothing from the installation that made it.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** Plain JSON, hashed as serialized, in the order of its fields. */
export type ProofEntry = { readonly kind: string; readonly [field: string]: unknown };

interface ProofHead {
  /** The version of the format. */
  readonly version: 1;
  readonly issuer: string;
  readonly issued_at: string;
  readonly email_id: string;
  readonly algorithm: 'ed25519';
  /** 32 bytes, base64url. */
  readonly public_key: string;
}

export interface Proof extends ProofHead {
  readonly entries: readonly { readonly hash: string; readonly entry: ProofEntry }[];
  /** 64 bytes, base64url. */
  readonly signature: string;
}

export interface ProofKey {
  readonly publicKey: string;
  readonly sign: (text: string) => Buffer;
}

const FORMAT = 'postrider proof 1';
const HEAD_FIELDS = ['version', 'issuer', 'issued_at', 'email_id', 'algorithm', 'public_key'] as const;
/** The DER prefix of a 32-byte Ed25519 private key (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

export function seal(
  about: Pick<ProofHead, 'issuer' | 'issued_at' | 'email_id'>,
  entries: readonly ProofEntry[],
  key: ProofKey,
): Proof {
  const { issuer, issued_at, email_id } = about;
  const head = { version: 1, issuer, issued_at, email_id } as const;
  const signed = { ...head, algorithm: 'ed25519', public_key: key.publicKey } as const;
  const hashes = chainOf(signed, entries);
  return {
    ...signed,
    entries: entries.map((entry, index) => ({ hash: hashes[index] ?? '', entry })),
    signature: key.sign(statementOf(signed, hashes)).toString('base64url'),
  };
}

function chainOf(head: ProofHead, entries: readonly ProofEntry[]): string[] {
  let before = headHash(head);
  return entries.map((entry) => {
    before = sha256(`${before}\n${JSON.stringify(entry)}`);
    return before;
  });
}

function headHash(head: ProofHead): string {
  return sha256(`${FORMAT}\n${JSON.stringify(HEAD_FIELDS.map((field) => head[field]))}`);
}

/** Includes the number of entries, so that none can be removed from the end. */
function statementOf(head: ProofHead, hashes: readonly string[]): string {
  return `${FORMAT}\n${hashes.length}\n${hashes.at(-1) ?? headHash(head)}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

type ProofCheck =
  | { readonly ok: true; readonly proof: Proof }
  | { readonly ok: false; readonly problem: string };

/** Whether the proof is complete and signed by the key that it names. Does not check who owns the key. */
export function checkProof(given: unknown): ProofCheck {
  const proof = shapeOf(given);
  if (proof === null) return { ok: false, problem: 'This is not a proof, or parts of it are missing.' };
  const hashes = chainOf(
    proof,
    proof.entries.map(({ entry }) => entry),
  );
  const broken = proof.entries.findIndex(({ hash }, index) => hash !== hashes[index]);
  if (broken >= 0) return { ok: false, problem: brokenAt(broken) };
  const signature = bytesOf(proof.signature, 64);
  const key = publicKeyOf(proof.public_key);
  if (
    signature === null ||
    key === null ||
    !verify(null, Buffer.from(statementOf(proof, hashes)), key, signature)
  )
    return { ok: false, problem: 'The signature is not one of its key over these entries.' };
  return { ok: true, proof };
}

function brokenAt(index: number): string {
  if (index === 0) return 'Its head or entry 1 is not what was signed.';
  return `Entry ${index + 1} is not what was signed, or one before it is missing.`;
}

const ALL_FIELDS: readonly string[] = [...HEAD_FIELDS, 'entries', 'signature'];

/** Rejects unsigned fields. */
function shapeOf(given: unknown): Proof | null {
  if (!isObject(given) || !hasExactly(given, ALL_FIELDS)) return null;
  const { version, algorithm, entries, ...texts } = given;
  if (version !== 1 || algorithm !== 'ed25519' || !Array.isArray(entries)) return null;
  if (Object.values(texts).some((value) => typeof value !== 'string')) return null;
  const isEntry = (one: unknown) =>
    isObject(one) &&
    hasExactly(one, ['hash', 'entry']) &&
    isObject(one.entry) &&
    typeof one.entry.kind === 'string';
  return entries.every(isEntry) ? (given as unknown as Proof) : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasExactly(value: Record<string, unknown>, fields: readonly string[]): boolean {
  return Object.keys(value).length === fields.length && fields.every((field) => Object.hasOwn(value, field));
}

/** Requires canonical base64url: otherwise bits that decoding ignores could be changed unnoticed. */
function bytesOf(text: string, length: number): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === length && bytes.toString('base64url') === text ? bytes : null;
}

export function publicKeyOf(text: string): KeyObject | null {
  const bytes = bytesOf(text, 32);
  if (bytes === null) return null;
  return createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, bytes]), format: 'der', type: 'spki' });
}

/** Derives the key pair from 32 secret bytes. */
export function proofKeyOf(seed: Buffer): ProofKey {
  const key = Buffer.concat([PRIVATE_PREFIX, seed]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return {
    publicKey: spki.subarray(PUBLIC_PREFIX.length).toString('base64url'),
    sign: (text) => sign(null, Buffer.from(text), privateKey),
  };
}
