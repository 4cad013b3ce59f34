/** Translates problems of our own API to the dialect's field names. */
import { ApiError } from '../../http/errors.ts';
import { Problems } from '../../runtime/problems.ts';
import { ServiceError } from '../../runtime/service-error.ts';

export type NameOfField = (field: string) => string;

export function withFieldsRenamed(error: unknown, nameOf: NameOfField): unknown {
  if (error instanceof ServiceError && error.code === 'VALIDATION_ERROR') {
    const problems = new Problems();
    for (const { field, message, kind } of error.problems) problems.add(nameOf(field), message, kind);
    return problems.any ? problems.toError({ ofRequestAlone: error.ofRequestAlone }) : error;
  }
  if (error instanceof ApiError) {
    const details = error.details.map((problem) => ({ ...problem, field: nameOf(problem.field) }));
    return new ApiError(error.code, details, error.message, error);
  }
  return error;
}
