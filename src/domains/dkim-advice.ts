/** Explains the result of the DKIM check and the change to make. */
import type { DkimVerdict } from './dkim-record.ts';
import { describeDnsFailure } from './dns-failure.ts';

/** `name`: where the record belongs. */
export function adviseDkim(verdict: DkimVerdict, name: string): string {
  switch (verdict.kind) {
    case 'pass':
      return `The DKIM key at ${name} is the right one.`;
    case 'unavailable':
      return `${describeDnsFailure(name, verdict.code)} Nothing was changed; check again in a few minutes.`;
    case 'missing':
      return `There is no TXT record at ${name}. Publish one there with the expected value. Many DNS panels add the domain automatically: then leave it out of the name.`;
    case 'several':
      return `There are ${verdict.count} TXT records at ${name}, and receivers may use any of them. Keep only the one with the expected value.`;
    case 'malformed':
      return `The TXT record at ${name} is not a DKIM key: ${verdict.problem}. Replace it with the expected value.`;
    case 'revoked':
      return `The DKIM key at ${name} is revoked: p= is empty. Replace the record with the expected value.`;
    case 'wrong_type':
      return `The DKIM key at ${name} is of the type k=${verdict.type}, where k=rsa is needed. Replace the record with the expected value.`;
    case 'restricted':
      return `The DKIM key at ${name} is restricted by ${verdict.tag} and cannot be used for our signatures. Replace the record with the expected value.`;
    case 'other_key':
      return verdict.cutShort
        ? `The DKIM key at ${name} is cut off in the middle. Publish the whole value; DNS panels that limit the length take it in several quoted strings of up to 255 characters.`
        : `The DKIM key at ${name} is not ours. Replace the record with the expected value.`;
  }
}
