/** Whether what a page shows has the shape of what there is: the same fields, of the same types. */

export type Schema = Readonly<Record<string, unknown>> & {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
};

/** What these say is part of the example, and must be right to the letter. */
const TO_THE_LETTER = new Set(['type', 'kind', 'code', 'reason', 'status', 'field', 'outcome']);
/** What stands in them is up to whoever sends. */
const FREE = new Set(['metadata', 'headers', 'template_data', 'details']);

interface Manner {
  /** Whether fields may be left out. */
  readonly isShortened: boolean;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

/** What is shown against what was answered. */
export function differences(shown: unknown, answer: unknown, manner: Manner, at = ''): string[] {
  if (shown === null || answer === null) return [];
  if (kindOf(shown) !== kindOf(answer)) return [`${at} is ${kindOf(answer)}, not ${kindOf(shown)}`];
  if (Array.isArray(shown) && Array.isArray(answer))
    return shown.flatMap((one, i) => {
      const each = answer.map((other) => differences(one, other, manner, `${at}[${i}]`));
      return each.some((found) => found.length === 0) ? [] : (each[0] ?? [`${at} is empty`]);
    });
  if (!isObject(shown) || !isObject(answer)) return [];
  return [
    ...missing(shown, answer, Object.keys(answer), manner, at),
    ...Object.keys(shown)
      .filter((key) => key in answer && !FREE.has(key))
      .flatMap((key) => {
        const [one, other] = [shown[key], answer[key]];
        if (TO_THE_LETTER.has(key) && typeof one === 'string' && typeof other === 'string' && one !== other)
          return [`${at}.${key} is ${other}, not ${one}`];
        return differences(one, other, manner, `${at}.${key}`);
      }),
  ];
}

function missing(
  shown: object,
  answer: object,
  always: readonly string[],
  { isShortened }: Manner,
  at: string,
): string[] {
  return [
    ...Object.keys(shown)
      .filter((key) => !(key in answer))
      .map((key) => `${at}.${key} is shown and not there`),
    ...(isShortened ? [] : always).filter((key) => !(key in shown)).map((key) => `${at}.${key} is not shown`),
  ];
}

/** What is shown against a schema of the OpenAPI document. */
export class Shapes {
  readonly #schemas: Readonly<Record<string, Schema>>;

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas;
  }

  /** `Email.events`: of the schema Email, the field `events`, or one of its entries. */
  differencesFrom(path: string, shown: unknown, manner: Manner): string[] {
    const schema = this.named(path);
    const { items } = this.#resolved(schema);
    return this.differences(shown, items && !Array.isArray(shown) ? items : schema, manner);
  }

  named(path: string): Schema {
    const [name = '', ...fields] = path.split('.');
    let schema = this.#schemas[name];
    for (const field of fields) schema = this.#objectOf(schema)?.properties?.[field];
    if (schema === undefined)
      throw new Error(`There is no ${path} among ${Object.keys(this.#schemas).join(', ')}.`);
    return schema;
  }

  differences(shown: unknown, schema: Schema, manner: Manner, at = ''): string[] {
    const { anyOf, ...own } = this.#resolved(schema);
    if (anyOf !== undefined) {
      const each = anyOf.map((one) => this.differences(shown, one, manner, at));
      return each.some((found) => found.length === 0) ? [] : (each[0] ?? []);
    }
    const types = own.type === undefined ? [] : [own.type].flat();
    if (shown === null) return types.length === 0 || types.includes('null') ? [] : [`${at} is never null`];
    if (types.length > 0 && !types.some((type) => isOfType(shown, type)))
      return [`${at} is ${types.join(' or ')}, not ${kindOf(shown)}`];
    if (own.enum !== undefined && !own.enum.includes(shown)) return [`${at} is never ${String(shown)}`];
    if (Array.isArray(shown))
      return shown.flatMap((one, i) => this.differences(one, own.items ?? {}, manner, `${at}[${i}]`));
    const { properties } = own;
    if (!isObject(shown) || properties === undefined) return [];
    return [
      ...missing(shown, properties, own.required ?? [], manner, at),
      ...Object.keys(shown).flatMap((key) =>
        this.differences(shown[key], properties[key] ?? {}, manner, `${at}.${key}`),
      ),
    ];
  }

  #resolved(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : this.#resolved(this.named(name));
  }

  /** The object that a schema is about: what a list holds, what may be null. */
  #objectOf(schema: Schema | undefined): Schema | undefined {
    if (schema === undefined) return undefined;
    const { anyOf, items, ...own } = this.#resolved(schema);
    if (own.properties !== undefined) return own;
    return this.#objectOf(items ?? anyOf?.find(({ type }) => type !== 'null'));
  }
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return type === kindOf(value);
}
