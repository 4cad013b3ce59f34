/** Validates data for a template: plain JSON, limited in size and depth, without code that runs on access. */
import { DATA_LIMITS } from './limits.ts';
import type { Meter } from './values.ts';

export type DataProblem = {
  readonly limit: 'data_size' | 'data_depth' | 'data_keys' | 'data_type';
  /** The path in the data: `user.friends[2]`; null for all of it. */
  readonly path: string | null;
  readonly message: string;
};

/** Visiting one value costs as much as this many render steps. */
const VALUE_COST = 4;

export function checkData(data: unknown, meter: Meter | null = null): DataProblem | null {
  const inspection = new Inspection(meter);
  inspection.visit(data, 0);
  return inspection.problem;
}

class Inspection {
  problem: DataProblem | null = null;
  readonly #path: (string | number)[] = [];
  readonly #meter: Meter | null;
  #bytes = 0;

  constructor(meter: Meter | null) {
    this.#meter = meter;
  }

  /** True while no problem was found. A cycle ends at the depth limit. */
  visit(value: unknown, depth: number): boolean {
    this.#meter?.spend(VALUE_COST);
    switch (typeof value) {
      case 'string':
        return this.#count(Buffer.byteLength(value) + 2);
      case 'number':
      case 'boolean':
      case 'undefined':
        return this.#count(4);
      case 'object':
        if (value === null) return this.#count(4);
        if (depth >= DATA_LIMITS.depth) return this.#tooDeep();
        return Array.isArray(value) ? this.#list(value, depth) : this.#object(value, depth);
      default:
        return this.#notData(`a ${typeof value}`);
    }
  }

  #list(list: readonly unknown[], depth: number): boolean {
    // A list's length is checked first, because a sparse list of a billion items costs nothing to create.
    if (!this.#count(2 + list.length)) return false;
    for (let i = 0; i < list.length; i += 1) {
      this.#path.push(i);
      const descriptor = Object.getOwnPropertyDescriptor(list, i);
      if (descriptor?.get || descriptor?.set) return this.#notData('an accessor');
      if (!this.visit(descriptor?.value, depth + 1)) return false;
      this.#path.pop();
    }
    return true;
  }

  #object(object: object, depth: number): boolean {
    const prototype: unknown = Object.getPrototypeOf(object);
    if (prototype !== Object.prototype && prototype !== null) return this.#notData('an object of a class');
    const keys = Object.keys(object);
    if (!this.#count(2 + keys.length)) return false;
    if (keys.length > DATA_LIMITS.keys) return this.#tooManyKeys(keys.length);
    for (const key of keys) {
      this.#path.push(key);
      const descriptor = Object.getOwnPropertyDescriptor(object, key);
      if (descriptor?.get || descriptor?.set) return this.#notData('an accessor');
      if (!this.#count(Buffer.byteLength(key) + 3)) return false;
      if (!this.visit(descriptor?.value, depth + 1)) return false;
      this.#path.pop();
    }
    return true;
  }

  #count(bytes: number): boolean {
    this.#bytes += bytes;
    if (this.#bytes <= DATA_LIMITS.bytes) return true;
    const message = `The data is larger than ${DATA_LIMITS.bytes} bytes; send what the template shows.`;
    return this.#fail('data_size', message, null);
  }

  #tooDeep(): boolean {
    const message = `The data is nested deeper than ${DATA_LIMITS.depth} levels.`;
    return this.#fail('data_depth', message, this.#where());
  }

  #tooManyKeys(count: number): boolean {
    const message = `An object in the data may have ${DATA_LIMITS.keys} keys; this one has ${count}.`;
    return this.#fail('data_keys', message, this.#where());
  }

  #notData(what: string): boolean {
    return this.#fail('data_type', `The data must be plain JSON; this is ${what}.`, this.#where());
  }

  #fail(limit: DataProblem['limit'], message: string, path: string | null): boolean {
    this.problem ??= { limit, path, message };
    return false;
  }

  #where(): string | null {
    const path = this.#path.reduce<string>(
      (path, key) => (typeof key === 'number' ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`),
      '',
    );
    return path === '' ? null : path;
  }
}
