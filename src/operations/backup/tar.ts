/** The subset of the tar format (POSIX ustar) that a backup uses: plain files, so that every `tar` can list and unpack it. */
import { BackupError } from './backup-error.ts';

export const BLOCK_BYTES = 512;
/** The end of an archive. */
export const LAST_BLOCKS = Buffer.alloc(2 * BLOCK_BYTES);

const MAX_NAME_BYTES = 100;
/** The limit of eleven octal digits. */
const MAX_ENTRY_BYTES = 8 ** 11 - 1;
const CHECKSUM_AT = 148;
const CHECKSUM_BYTES = 8;

export interface TarEntry {
  readonly name: string;
  readonly bytes: number;
}

export function tarHeader({ name, bytes }: TarEntry, atMs: number): Buffer {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw new Error(`${name} is too long a name for an archive.`);
  if (bytes > MAX_ENTRY_BYTES) throw new Error(`${name} is too large for an archive.`);
  const block = Buffer.alloc(BLOCK_BYTES);
  block.write(name, 0);
  block.write(['0000600', '0000000', '0000000', ''].join('\0'), 100, 'latin1'); // mode, user, group
  block.write(`${octal(bytes, 11)} ${octal(Math.floor(atMs / 1000), 11)} `, 124, 'latin1');
  block.write('0', 156, 'latin1'); // type: a plain file
  block.write('ustar\x0000', 257, 'latin1');
  block.write(`${octal(checksumOf(block), 6)}\0 `, CHECKSUM_AT, 'latin1');
  return block;
}

/** Undefined at the end of the archive. */
export function readTarHeader(block: Buffer): TarEntry | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  if (Number.parseInt(textAt(block, CHECKSUM_AT, CHECKSUM_BYTES), 8) !== checksumOf(block)) {
    throw new BackupError('The file is damaged, or is not a backup.');
  }
  return { name: textAt(block, 0, MAX_NAME_BYTES), bytes: Number.parseInt(textAt(block, 124, 12), 8) };
}

/** The padding of an entry's last block. */
export function paddingBytes(bytes: number): number {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

/** Computed as if the checksum field contained spaces. */
function checksumOf(block: Buffer): number {
  const own = block.subarray(CHECKSUM_AT, CHECKSUM_AT + CHECKSUM_BYTES);
  return sum(block) - sum(own) + CHECKSUM_BYTES * 0x20;
}

function sum(bytes: Buffer): number {
  return bytes.reduce((total, byte) => total + byte, 0);
}

function textAt(block: Buffer, from: number, bytes: number): string {
  const field = block.toString('utf8', from, from + bytes);
  return (field.split('\0')[0] ?? '').trim();
}
