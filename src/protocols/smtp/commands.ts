/**
 * The only place where external strings become SMTP commands. Everything was validated earlier; these checks
 * ensure that a bug elsewhere cannot turn an address into a second command.
 */
import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import type { Capabilities } from './capabilities.ts';
import type { Envelope, SmtpTarget } from './facts.ts';

const UNSAFE = /[\u0000-\u0020\u007f<>]/;
const NON_ASCII = /[^\u0000-\u007f]/;
const UNSAFE_UNICODE =
  /[\u0080-\u00a0\u2028\u2029\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const MAX_PATH_CHARS = 1000;
/** Inside a quoted local part spaces and brackets are text; controls and a bare quote are not. */
const QUOTED_LOCAL = /^"(?:[^"\\\u0000-\u001f\u007f]|\\[\u0020-\u007e])*"(?=@)/;

export function assertEnvelope(envelope: Envelope): void {
  assertPath(envelope.from, envelope.smtpUtf8, 'sender');
  assertPath(envelope.to, envelope.smtpUtf8, 'recipient');
  assert(envelope.to !== '', 'the envelope has no recipient');
}

/** A host name is never dialled: the caller resolved and checked the address. */
export function assertTarget({ address, ehloName: name }: SmtpTarget): void {
  assert(isIP(address) !== 0, 'the target address is not an IP address');
  assert(name !== '' && name.length <= 255, 'the EHLO name is empty or too long');
  assert(!UNSAFE.test(name) && !NON_ASCII.test(name), 'the EHLO name has a forbidden character');
}

export function mailCommand(
  envelope: Envelope,
  offered: Capabilities,
  size: number,
  eightBit: boolean,
): string {
  let command = `MAIL FROM:<${envelope.from}>`;
  if (offered.size) command += ` SIZE=${size}`;
  if ((eightBit || envelope.smtpUtf8) && offered.eightBitMime) command += ' BODY=8BITMIME';
  if (envelope.smtpUtf8) command += ' SMTPUTF8';
  if (envelope.tls === 'required') command += ' REQUIRETLS';
  return command;
}

export function rcptCommand(envelope: Envelope): string {
  return `RCPT TO:<${envelope.to}>`;
}

function assertPath(path: string, smtpUtf8: boolean, which: string): void {
  assert(path.length <= MAX_PATH_CHARS, `the envelope ${which} is too long`);
  const unquoted = path.replace(QUOTED_LOCAL, '');
  assert(
    !UNSAFE.test(unquoted) && !UNSAFE_UNICODE.test(path),
    `the envelope ${which} has a forbidden character`,
  );
  assert(
    smtpUtf8 || !NON_ASCII.test(path),
    `the envelope ${which} is not ASCII and SMTPUTF8 was not asked for`,
  );
}
