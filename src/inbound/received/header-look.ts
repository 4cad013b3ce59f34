/** What has to be known of a message's header before anybody reads it. Pure, and bounded like all reading of headers. */
import { scanHeader } from '../../protocols/message/reading/header-scan.ts';

export function headerHas(raw: Buffer, name: string): boolean {
  return countFields(raw, name) > 0;
}

/** How many servers it went through already. */
export function hopsOf(raw: Buffer): number {
  return countFields(raw, 'received');
}

function countFields(raw: Buffer, name: string): number {
  return scanHeader(raw, 0, raw.length).fields.filter((field) => field.name === name).length;
}
