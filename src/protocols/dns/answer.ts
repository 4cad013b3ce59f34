/** Whether a trusted resolver has validated the answer by DNSSEC. Only set by a validating resolver. */
interface Vouched {
  readonly secure?: true;
}

/** A DNS answer. Expected outcomes are values: a lookup never throws. */
export type Answer<T> =
  | (Vouched & {
      readonly kind: 'found';
      readonly records: readonly T[];
      /**
       * The canonical name of the records, when the queried name is an alias. Only set by a validating
       * resolver.
       */
      readonly alias?: string;
    })
  /** The name exists but has no record of this type. */
  | (Vouched & { readonly kind: 'none' })
  /** The name does not exist, or is invalid: too long, with an empty label, … */
  | (Vouched & { readonly kind: 'nxdomain' })
  /** No usable answer, so nothing is known about the name. */
  | { readonly kind: 'unavailable'; readonly code: string };

export interface MxRecord {
  readonly priority: number;
  /** Lower case without a trailing dot; empty in a null MX. */
  readonly exchange: string;
}

export interface Timed<T> {
  readonly answer: Answer<T>;
  /** How long the answer may be kept; undefined when the resolver does not report it. */
  readonly ttlMs?: number;
}
