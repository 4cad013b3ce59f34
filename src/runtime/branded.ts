declare const brand: unique symbol;

/** A string that was checked: only its parser makes one, so that the compiler refuses any other string in its place. */
export type Branded<Name extends string> = string & { readonly [brand]: Name };
