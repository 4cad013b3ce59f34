declare const brand: unique symbol;

/** A validated string. Only its parser creates the type, so the compiler rejects any other string. */
export type Branded<Name extends string> = string & { readonly [brand]: Name };
