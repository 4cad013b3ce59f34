/**
 * Collects what is wrong with a request, so that the caller hears everything at once.
 *
 * Checks that need nothing but the value belong into the schema (`checked` in http/schema.ts): those are reported
 * together with the schema's own findings. This collector is also for a service, whose checks need the world.
 */
import { type Problem, problemSummary, ServiceError, type ServiceErrorOptions } from './service-error.ts';

/** A request with more problems than this is garbage; listing them all helps nobody. */
const MAX_LISTED = 50;

export class Problems {
  readonly #list: Problem[] = [];
  #total = 0;

  add(field: string, message: string): this {
    // Behind those that are listed, comparing with them all would cost more than it tells.
    const isListed = this.#list.length < MAX_LISTED;
    if (isListed && this.#list.some((one) => one.field === field && one.message === message)) return this;
    this.#total += 1;
    if (isListed) this.#list.push({ field, message });
    return this;
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
