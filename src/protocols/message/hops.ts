/**
 * Counts how often a submitted message was relayed. Servers end loops by counting Received fields (RFC 5321,
 * 6.3); we remove those fields, so our own field carries their number.
 */
import { fieldValue, type HeaderField } from './reading/header-block.ts';

export const HOPS_HEADER = 'X-Postrider-Hops';
/** The same limit as Postfix. */
export const MAX_TIMES_PASSED_ON = 50;

export function timesPassedOn(fields: readonly HeaderField[]): number {
  let hops = 0;
  for (const field of fields) {
    if (field.name === 'received') hops += 1;
    else if (field.name === 'x-postrider-hops') hops += counted(fieldValue(field));
  }
  return hops;
}

/** The field may be forged. */
function counted(text: string): number {
  return /^\d{1,4}$/.test(text) ? Number(text) : 0;
}
