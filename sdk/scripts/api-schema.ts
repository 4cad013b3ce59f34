/** The parts of an OpenAPI document that types are made from. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly nullable?: boolean;
  readonly description?: string;
}

export interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

/** Any of them is enough. */
type Security = readonly Readonly<Record<string, readonly string[]>>[];
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

export interface Operation {
  readonly summary?: string;
  readonly security?: Security;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content?: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface ApiDocument {
  /** Of operations that say nothing else. */
  readonly security?: Security;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}
