/** Requests that do the same to several things, one after the other. Each thing has a result of its own. */
import type { FastifyRequest } from 'fastify';
import { type Static, type TProperties, Type } from 'typebox';
import { isUuid } from '../runtime/ids.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { setTargets, type Target } from './audit.ts';
import { ApiError, apiErrorOf, envelopeOf, UnavailableError } from './errors.ts';
import { nullable, strictObject } from './schema.ts';

/** The most things of one request. */
const MAX_BULK = 100;

export function bulkIds(description: string, example: string) {
  return Type.Array(Type.String({ maxLength: 200, examples: [example] }), {
    minItems: 1,
    maxItems: MAX_BULK,
    description: `${description} At most ${MAX_BULK}; an id that is named twice counts once.`,
  });
}

export function bulkBody($id: string, description: string, example: string) {
  return strictObject({ ids: bulkIds(description, example) }, { $id });
}

const bulkError = Type.Object(
  {
    code: Type.String({ description: 'Code of the error, as the request for this id alone returns it.' }),
    message: Type.String(),
    details: Type.Array(Type.Object({ field: Type.String(), message: Type.String() })),
  },
  { $id: 'BulkError' },
);

/** `fields`: the fields of a result besides its id and its error. */
export function bulkResultOf<P extends TProperties>($id: string, fields: P) {
  return Type.Object(
    {
      succeeded: Type.Integer({ description: 'Number of results without an error.', examples: [1] }),
      failed: Type.Integer({ description: 'Number of results with an error.', examples: [0] }),
      results: Type.Array(Type.Object({ ...fields, id: Type.String(), error: nullable(bulkError) }), {
        description: 'One result for each id, in the order of the request.',
      }),
    },
    { $id },
  );
}

export const plainBulkResult = bulkResultOf('BulkResult', {});

type Result<Fields> = Fields & { readonly id: string; readonly error: Static<typeof bulkError> | null };

interface BulkResult<Fields> {
  readonly succeeded: number;
  readonly failed: number;
  readonly results: Result<Fields>[];
}

/** What was done to one thing: the fields of its result, and what the audit log says besides its id. */
export interface BulkStep<Fields> extends Omit<Target, 'id'> {
  readonly fields: Fields;
  /** An earlier request did it, and is in the audit log already. */
  readonly isReplayed?: boolean;
}

/**
 * Runs `act` for each id. `none`: the fields of a result with an error. If something unexpected happens after the first success,
 * the remaining ids are answered as unavailable, so that the caller knows what was done.
 */
export async function forEachId<Fields extends object>(
  request: FastifyRequest,
  ids: readonly string[],
  none: Fields,
  act: (id: string) => Promise<BulkStep<Fields>>,
): Promise<BulkResult<Fields>> {
  const results: Result<Fields>[] = [];
  const targets: Target[] = [];
  let succeeded = 0;
  let broken: ApiError | null = null;
  for (const id of distinctIds(ids)) {
    try {
      if (broken !== null) throw broken;
      const { fields, isReplayed = false, ...target } = await act(id);
      if (!isReplayed) targets.push({ id, ...target });
      succeeded += 1;
      results.push({ ...fields, id, error: null });
    } catch (error) {
      const known = knownError(error);
      if (known === null && succeeded === 0) throw error;
      if (known === null) {
        request.log.error({ err: error }, 'a request for several things failed after the first of them');
        broken = new UnavailableError(error);
      }
      results.push({ ...none, id, error: errorView(known ?? (broken as ApiError)) });
    }
  }
  setTargets(request, targets);
  return { succeeded, failed: results.length - succeeded, results };
}

/** A UUID in capitals is the same id: nothing is done to it twice. */
function distinctIds(ids: readonly string[]): ReadonlySet<string> {
  return new Set(ids.map((id) => (isUuid(id) ? id.toLowerCase() : id)));
}

function errorView(error: ApiError): Static<typeof bulkError> {
  const { code, message, details } = envelopeOf(error).error;
  return { code, message, details: [...details] };
}

function knownError(error: unknown): ApiError | null {
  return error instanceof ApiError || error instanceof ServiceError ? apiErrorOf(error) : null;
}
