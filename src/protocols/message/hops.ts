/**
 * How often a submitted message was passed on by mail servers. Loops end because servers count its Received fields (RFC 5321, 6.3);
 * those are taken out here, so their number travels in a field of our own.
 */
import { fieldValue, type HeaderField } from './reading/header-block.ts';

export const HOPS_HEADER = 'X-Postrider-Hops';
/** As many as Postfix lets pass. */
export const MAX_TIMES_PASSED_ON = 50;

export function timesPassedOn(fields: readonly HeaderField[]): number {
  let hops = 0;
  for (const field of fields) {
    if (field.name === 'received') hops += 1;
    else if (field.name === 'x-postrider-hops') hops += counted(fieldValue(field));
  }
  return hops;
}

/** Somebody else may have written it. */
function counted(text: string): number {
  return /^\d{1,4}$/.test(text) ? Number(text) : 0;
}
