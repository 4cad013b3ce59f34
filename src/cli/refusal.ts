/** Shows a service's refusal as sentences for the user. */
import { ApiError } from '../http/errors.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { CliError, EXIT_FAILED, EXIT_USAGE } from './command.ts';

/** `words` maps API fields to the command's names: `{ url: 'URL' }`. */
export function refuseInWords(error: unknown, words: Readonly<Record<string, string>> = {}): never {
  if (!(error instanceof ServiceError || error instanceof ApiError)) throw error;
  const problems = error instanceof ServiceError ? error.problems : error.details;
  const lines = problems.map(({ field, message }) => `${words[field] ?? field} ${message}.`);
  throw lines.length === 0
    ? new CliError(error.message, EXIT_FAILED)
    : new CliError(lines.join('\n'), EXIT_USAGE);
}
