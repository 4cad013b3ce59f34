/**
 * Placeholder props for a component. A text becomes its own tag, `{{name}}`; a list has one item, between the
 * tags of a loop; values that cannot become tags raise an error. Every prop that the component reads is
 * recorded, because a value that it does not output unchanged is lost. Pure.
 */

/** The message is a sentence for the template's author. */
export class NotPushable extends Error {}

export interface Given {
  readonly props: object;
  /** The props that were read: placeholder and name in the author's code. */
  readonly reads: ReadonlyMap<string, string>;
  /** Values and lists outside of any loop. */
  readonly roots: ReadonlySet<string>;
}

/** A text that the component reads. */
export interface GivenText {
  readonly placeholder: string;
  /** The name in the author's code. */
  readonly label: string;
  /** The value in the sample data, if there is one. */
  readonly value: unknown;
}

/** `show` says what the component gets in place of a text: another value shows what the code makes of it. */
export function placeholdersFor(
  sample: object,
  show: (text: GivenText) => string = ({ placeholder }) => placeholder,
): Given {
  return new Placeholders(sample as Record<string, unknown>, show);
}

class Placeholders implements Given {
  readonly reads = new Map<string, string>();
  readonly roots = new Set<string>();
  readonly props: object;
  readonly #show: (text: GivenText) => string;

  constructor(sample: Readonly<Record<string, unknown>>, show: (text: GivenText) => string) {
    this.#show = show;
    const get = (_: object, name: string | symbol) =>
      typeof name === 'symbol' || OF_REACT.has(name)
        ? undefined
        : this.#given(name, name, sample[name] ?? '');
    const ownKeys = () => {
      const names = Object.keys(sample);
      if (names.length > 0) return names;
      throw new NotPushable(`It passes on all its properties, so it has to say which: ${EXPORT_VARIABLES}`);
    };
    const getOwnPropertyDescriptor = (target: object, name: string | symbol) =>
      Object.hasOwn(sample, name)
        ? { value: get(target, name), enumerable: true, configurable: true }
        : undefined;
    this.props = new Proxy({}, { get, ownKeys, getOwnPropertyDescriptor });
  }

  /**
   * `path` is the template's path to the value, `label` the author's name for it. Outside of loops they are
   * equal.
   */
  #given(path: string, label: string, value: unknown): unknown {
    if (typeof value === 'boolean') throw new NotPushable(decides(label));
    if (typeof value === 'function') throw new NotPushable(`\`${label}\` is a function, and data has none.`);
    if (Array.isArray(value)) return this.#list(path, label, value);
    return isRecord(value) ? this.#record(path, label, value) : this.#text(path, label, value);
  }

  #text(path: string, label: string, value: unknown): string {
    const placeholder = `{{${path}}}`;
    this.reads.set(placeholder, label);
    if (path === label) this.roots.add(path);
    return this.#show({ placeholder, label, value });
  }

  #record(path: string, label: string, value: object): object {
    const fields = Object.entries(value).map(([name, field]) => {
      const get = () => this.#given(`${path}.${name}`, `${label}.${name}`, field);
      return [name, { get, enumerable: true }] as const;
    });
    return Object.defineProperties({}, Object.fromEntries(fields));
  }

  #list(path: string, label: string, items: readonly unknown[]): object {
    if (items.length === 0) throw new NotPushable(`\`${label}\` is empty: give it one item as a sample.`);
    if (path === label) this.roots.add(path);
    const depth = label.split('[]').length;
    const item = depth === 1 ? 'item' : `item${depth}`;
    const map = (show: (one: unknown, index: unknown) => unknown) => [
      `{{#each ${path} as |${item}|}}`,
      show(this.#given(item, `${label}[]`, sampleItem(items)), indexOf(label)),
      '{{/each}}',
    ];
    return new Proxy([], { get: (_, name) => (name === 'map' ? map : notAList(label, name)) });
  }
}

export const EXPORT_VARIABLES = 'export `variables` with sample data of every list and object.';

/** Advises what to write instead of a condition in code. */
export function decides(label: string): string {
  const name = label.replace(/^.*\[\]\.?/, '') || 'this';
  return `\`${label}\` decides what is shown, and a template would always have it one way. Write the condition as text: {'{{#if ${name}}}'} … {'{{/if}}'}`;
}

/** Advises what to write instead of code that changes a value or compares it. */
export function changes(label: string): string {
  const name = label.replace(/^.*\[\]\.?/, '') || 'this';
  return `\`${label}\` is changed or compared in code, and its value is known only when mail is sent. Use a helper, such as {'{{upper ${name}}}'}, or write the condition as text: {'{{#if (eq ${name} "x")}}'} … {'{{/if}}'}`;
}

/** Keys of items are not rendered, so this word appears in the HTML only if the index itself is displayed. */
export const INDEX_WORD = 'postrider-index';

function indexOf(label: string): object {
  const words = `The index in \`${label}\` cannot be calculated with. Write {'{{@index}}'}, {'{{@first}}'} or {'{{@last}}'} as text.`;
  return {
    [Symbol.toPrimitive](hint: string) {
      if (hint === 'number') throw new NotPushable(words);
      return INDEX_WORD;
    },
  };
}

function notAList(label: string, name: string | symbol): never {
  throw new NotPushable(
    `\`${label}.${String(name)}\` cannot be a tag of a template: of a list only \`map\` can. Write {'{{#if ${label}}}'} … {'{{/if}}'} as text to ask whether there is any item.`,
  );
}

/** An item with the fields of all items. */
function sampleItem(items: readonly unknown[]): unknown {
  return items.every(isRecord) ? Object.assign({}, ...items.toReversed()) : items[0];
}

function isRecord(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Properties that React reads of every element. */
const OF_REACT: ReadonlySet<string> = new Set(['children', 'key', 'ref', '$$typeof', 'toJSON', 'then']);
