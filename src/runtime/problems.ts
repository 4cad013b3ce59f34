/**
 * Collects the problems of a request, so that the caller gets all of them at once.
 *
 * Checks that only need the value belong in the schema (`checked` in http/schema.ts), and are reported with
 * the schema's own problems. Services use this collector for checks that need other data.
 */
import {
  type Problem,
  type ProblemKind,
  problemSummary,
  ServiceError,
  type ServiceErrorOptions,
} from './service-error.ts';

/** Limit for listed problems; a longer list helps no caller. */
const MAX_LISTED = 50;

export class Problems {
  readonly #list: Problem[] = [];
  #total = 0;

  add(field: string, message: string, kind?: ProblemKind): this {
    // Problems beyond the listed ones are not compared for duplicates, to save time.
    const isListed = this.#list.length < MAX_LISTED;
    if (isListed && this.#list.some((one) => one.field === field && one.message === message)) return this;
    this.#total += 1;
    if (isListed) this.#list.push(kind === undefined ? { field, message } : { field, message, kind });
    return this;
  }

  missing(field: string): this {
    return this.add(field, 'is required', 'missing');
  }

  get any(): boolean {
    return this.#total > 0;
  }

  get list(): readonly Problem[] {
    return this.#list;
  }

  toError(options: ServiceErrorOptions = {}): ServiceError {
    return new ServiceError('VALIDATION_ERROR', problemSummary(this.#list, this.#total), {
      ...options,
      problems: this.#list,
    });
  }

  throwIfAny(): void {
    if (this.any) throw this.toError();
  }
}

/** `join('to[0]', 'email')` is `to[0].email`, `join('to', '[0]')` is `to[0]`. */
export function joinField(base: string, rest: string): string {
  if (base === '') return rest;
  if (rest === '') return base;
  return rest.startsWith('[') ? base + rest : `${base}.${rest}`;
}
