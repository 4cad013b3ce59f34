/**
 * SHA-256 of content of any size without blocking the event loop. Small content is hashed at once. Larger
 * content goes to the thread pool, which copies it first. For the largest content the copy itself would
 * block, so it is hashed here in time slices.
 */
import { createHash, type Hash, hash, webcrypto } from 'node:crypto';
import { Turns } from './turns.ts';

/** Takes 0.5 ms. */
const SMALL_BYTES = 128 * 1024;
/** The copy takes 7 ms. */
const POOL_BYTES = 8 * 1024 * 1024;
const STEP_BYTES = 256 * 1024;

export async function sha256InTurns(bytes: Buffer, encoding: 'hex' | 'base64'): Promise<string> {
  if (bytes.length <= SMALL_BYTES) return hash('sha256', bytes, encoding);
  if (bytes.length > POOL_BYTES) return hashInTurns(bytes, encoding);
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString(encoding);
}

async function hashInTurns(bytes: Buffer, encoding: 'hex' | 'base64'): Promise<string> {
  const growing = createHash('sha256');
  await updateInTurns(growing, bytes);
  return growing.digest(encoding);
}

/** Adds content of any size to a running hash. */
export async function updateInTurns(growing: Hash, bytes: Buffer): Promise<void> {
  const turns = new Turns();
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    growing.update(bytes.subarray(at, at + STEP_BYTES));
    if (turns.isOver) await turns.next();
  }
}
