export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema?: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;
}

export type Response = Content & { readonly description?: string; readonly headers?: object };

export interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses?: Readonly<Record<string, Response>>;
  readonly security?: readonly unknown[];
  readonly 'x-access'?: string;
  readonly 'x-scopes'?: readonly string[];
  readonly 'x-tied'?: boolean;
}

export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>>; readonly headers?: object };
  readonly webhooks?: Readonly<Record<string, { readonly post: Operation }>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Endpoints under their first tag, in the order they were registered. */
export function endpointsByTag(document: Document): Map<string, Endpoint[]> {
  const groups = new Map<string, Endpoint[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? 'Other';
      const group = groups.get(tag) ?? [];
      group.push({ method: method.toUpperCase(), path, operation });
      groups.set(tag, group);
    }
  }
  return groups;
}

export function jsonSchemaOf(part: Content | undefined): Schema | undefined {
  return part?.content?.['application/json']?.schema;
}

export function resolve(schema: Schema, document: Document): Schema {
  const name = nameOf(schema);
  return name === undefined ? schema : (document.components?.schemas?.[name] ?? schema);
}

export function nameOf(schema: Schema): string | undefined {
  return schema.$ref?.replace('#/components/schemas/', '');
}
