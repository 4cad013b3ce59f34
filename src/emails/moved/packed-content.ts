/**
 * The content of one email as an object: its parts in sequence, compressed, and sealed with a key of its own. The owner is part
 * of the authenticated data, so an object under another name does not open.
 *
 * 1 byte format (1), 12 bytes iv, cipher text, 16 bytes tag; inside, compressed: 4 bytes length, JSON, message, files
 */
import { type Cipher, createCipheriv, createDecipheriv, type Decipher, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { Turns } from '../../runtime/turns.ts';

/** The same fields as in `email_contents` and `email_attachments`. JSON stays text, so that numbers keep their form. */
export interface KeptContent {
  readonly html: string | null;
  readonly text: string | null;
  readonly headers: string | null;
  readonly template_data: string | null;
  readonly mime: Buffer | null;
  readonly files: readonly KeptFile[];
}

export interface KeptFile {
  readonly position: number;
  readonly filename: string;
  readonly content_type: string;
  readonly content_id: string | null;
  readonly content: Buffer;
}

/** The owner, and the object's id. */
interface ObjectOwner {
  readonly organizationId: string;
  readonly emailId: string;
  readonly objectId: string;
}

interface Inside extends Omit<KeptContent, 'mime' | 'files'> {
  readonly mime: number | null;
  readonly files: readonly (Omit<KeptFile, 'content'> & { readonly bytes: number })[];
}

const FORMAT = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;
const KEY_BYTES = 32;
/** Encrypted in about a millisecond. */
const STEP_BYTES = 1024 * 1024;
/** More than an email can have. The data is trusted, but the memory is shared. */
const MAX_CONTENT_BYTES = 128 * 1024 * 1024;
/** Nearly the compression of the highest quality, in a tenth of its time. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

export function newSealKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

export async function packContent(content: KeptContent, owner: ObjectOwner, key: Buffer): Promise<Buffer> {
  const compressed = await compress(inOne(content), QUALITY);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(associated(owner));
  const sealed = await updateInTurns(cipher, compressed);
  return Buffer.concat([Buffer.of(FORMAT), iv, ...sealed, cipher.final(), cipher.getAuthTag()]);
}

/** Throws unless the content was packed for this owner with this key. */
export async function openContent(packed: Buffer, owner: ObjectOwner, key: Buffer): Promise<KeptContent> {
  if (packed[0] !== FORMAT || packed.length < 1 + IV_BYTES + TAG_BYTES)
    throw new Error(`The object ${owner.objectId} is not one of ours.`);
  const iv = packed.subarray(1, 1 + IV_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    .setAAD(associated(owner))
    .setAuthTag(packed.subarray(-TAG_BYTES));
  const sealed = packed.subarray(1 + IV_BYTES, -TAG_BYTES);
  const compressed = Buffer.concat([...(await updateInTurns(decipher, sealed)), decipher.final()]);
  return apart(await decompress(compressed, { maxOutputLength: MAX_CONTENT_BYTES }));
}

/** An object may have tens of megabytes. */
async function updateInTurns(cipher: Cipher | Decipher, bytes: Buffer): Promise<Buffer[]> {
  const turns = new Turns();
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    pieces.push(cipher.update(bytes.subarray(at, at + STEP_BYTES)));
    if (turns.isOver) await turns.next();
  }
  return pieces;
}

function associated({ organizationId, emailId, objectId }: ObjectOwner): Buffer {
  return Buffer.from(`${organizationId} ${emailId} ${objectId}`);
}

function inOne({ html, text, headers, template_data, mime, files }: KeptContent): Buffer {
  const inside: Inside = {
    ...{ html, text, headers, template_data },
    mime: mime?.length ?? null,
    files: files.map(({ position, filename, content_type, content_id, content }) => ({
      ...{ position, filename, content_type, content_id, bytes: content.length },
    })),
  };
  const json = Buffer.from(JSON.stringify(inside));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([
    length,
    json,
    ...(mime === null ? [] : [mime]),
    ...files.map((file) => file.content),
  ]);
}

function apart(whole: Buffer): KeptContent {
  let next = LENGTH_BYTES + whole.readUInt32BE();
  const inside = JSON.parse(whole.toString('utf8', LENGTH_BYTES, next)) as Inside;
  const take = (bytes: number) => {
    next += bytes;
    return whole.subarray(next - bytes, next);
  };
  const { mime, files, ...rest } = inside;
  return {
    ...rest,
    mime: mime === null ? null : take(mime),
    files: files.map(({ bytes, ...file }) => ({ ...file, content: take(bytes) })),
  };
}
