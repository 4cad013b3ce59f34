/** The facts needed from a message's header before it is parsed. Pure, and bounded like all parsing of headers. */
import { scanHeader } from '../../protocols/message/reading/header-scan.ts';

export function headerHas(raw: Buffer, name: string): boolean {
  return countFields(raw, name) > 0;
}

/** How many servers the message has passed through. */
export function hopsOf(raw: Buffer): number {
  return countFields(raw, 'received');
}

function countFields(raw: Buffer, name: string): number {
  return scanHeader(raw, 0, raw.length).fields.filter((field) => field.name === name).length;
}
