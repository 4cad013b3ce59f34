/** The API as it describes itself: what can be asked, with what, and what may come back. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
}

export interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface DescribedOperation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, object>> }>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

export interface Operation extends DescribedOperation {
  /** `POST /emails/send` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Everything that can be called, and a judge of what comes back. */
export class ApiDescription {
  readonly operations: readonly Operation[];
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: Document) {
    this.#document = document;
    this.#ajv.addSchema(document, 'api');
    this.operations = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([method]) => METHODS.includes(method))
        .map(([method, operation]) => {
          const upper = method.toUpperCase();
          return { ...operation, name: `${upper} ${path}`, method: upper, path };
        }),
    );
  }

  resolve(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    let found: unknown = this.#document;
    for (const step of schema.$ref.replace(/^#\//, '').split('/')) {
      found = (found as Record<string, unknown>)[unescaped(step)];
    }
    return this.resolve(found as Schema);
  }

  /** Null when the body is what the document says about this status; else what is wrong with it. */
  problemOfBody({ path, method, responses }: Operation, status: number, body: unknown): string | null {
    const described = responses[status];
    if (described === undefined) return `answers ${status}, which the document does not mention`;
    const type = Object.keys(described.content ?? {}).find((one) => one.includes('json'));
    if (type === undefined) return null;
    const steps = [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      type,
      'schema',
    ];
    const validate = this.#validatorAt(`api#/${steps.map(escaped).join('/')}`);
    if (validate(body)) return null;
    return `${status} is not as the document says: ${this.#ajv.errorsText(validate.errors)}`;
  }

  #validatorAt(reference: string): ValidateFunction {
    const known = this.#validators.get(reference);
    if (known) return known;
    const made = this.#ajv.compile({ $ref: reference });
    this.#validators.set(reference, made);
    return made;
  }
}

function escaped(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function unescaped(step: string): string {
  return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
}
