/**
 * Temporary links to the attachments of received mail, which work without a key: receivers of a webhook can download the files.
 * Links are signed, so that they cannot be guessed.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { DAY_MS } from '../runtime/durations.ts';
import { isUuid } from '../runtime/ids.ts';
import type { DerivedKeys } from '../runtime/key-ring.ts';
import { withAnyKey } from '../runtime/key-ring.ts';

export const FILE_PATH = '/received/';
/** As long as a webhook is retried, plus some days. */
export const LINK_GOOD_FOR_MS = 7 * DAY_MS;

interface LinkedFile {
  readonly organizationId: string;
  readonly id: string;
  readonly position: number;
}

export interface FileLinks {
  /** The same time gives the same link. */
  of(file: LinkedFile, untilMs: number): string;
}

const TOKEN = /^(org_[0-9a-z]{13})\.([0-9a-f-]{36})\.(\d{1,3})\.([0-9a-z]{1,9})\.([\w-]{43})$/;

export function createFileLinks(keys: DerivedKeys, publicUrl: string): FileLinks {
  return {
    of: (file, untilMs) => {
      const signed = signedText(file, untilMs);
      return `${publicUrl}${FILE_PATH}${signed}.${signature(signed, keys.at(untilMs - LINK_GOOD_FOR_MS))}`;
    },
  };
}

/** Null if this installation did not sign the link, or if it has expired. */
export function readFileLink(token: string, keys: DerivedKeys, nowMs: number): LinkedFile | null {
  const [, organizationId, id, position, until, given] = TOKEN.exec(token) ?? [];
  if (organizationId === undefined || id === undefined || until === undefined || given === undefined)
    return null;
  const untilMs = Number.parseInt(until, 36) * 1000;
  const file = { organizationId, id, position: Number(position) };
  if (!isUuid(id) || untilMs <= nowMs) return null;
  const signed = signedText(file, untilMs);
  const isOurs = withAnyKey(keys, (key) => {
    const expected = Buffer.from(signature(signed, key));
    return timingSafeEqual(expected, Buffer.from(given)) ? true : null;
  });
  return isOurs === null ? null : file;
}

function signedText({ organizationId, id, position }: LinkedFile, untilMs: number): string {
  return `${organizationId}.${id}.${position}.${Math.floor(untilMs / 1000).toString(36)}`;
}

function signature(signed: string, key: Buffer): string {
  return createHmac('sha256', key).update('received-file.1:').update(signed).digest('base64url');
}
