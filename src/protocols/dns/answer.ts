/** Whether a resolver that is trusted with it has validated the answer by DNSSEC. Only a validating resolver says so. */
interface Vouched {
  readonly secure?: true;
}

/** What DNS said. Expected outcomes are values: a lookup never throws. */
export type Answer<T> =
  | (Vouched & {
      readonly kind: 'found';
      readonly records: readonly T[];
      /** The name that the records are of, where the one asked for is an alias. Only a validating resolver says so. */
      readonly alias?: string;
    })
  /** The name exists and has no record of this type. */
  | (Vouched & { readonly kind: 'none' })
  /** The name does not exist, or could not: it is longer than names may be, has an empty label, … */
  | (Vouched & { readonly kind: 'nxdomain' })
  /** Nobody answered, or not with an answer: nothing is known about the name. */
  | { readonly kind: 'unavailable'; readonly code: string };

export interface MxRecord {
  readonly priority: number;
  /** Lower case without a dot at the end; empty in a null MX. */
  readonly exchange: string;
}

export interface Timed<T> {
  readonly answer: Answer<T>;
  /** How long the answer may be kept; undefined where the resolver does not say. */
  readonly ttlMs?: number;
}
