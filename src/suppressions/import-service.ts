/** Accepts uploaded lists and reports their progress. importer.ts processes them. */
import { isUtf8 } from 'node:buffer';
import type { Database } from '../database/database.ts';
import { lockOrganization } from '../organizations/store.ts';
import type { Clock } from '../runtime/clock.ts';
import { newId } from '../runtime/ids.ts';
import { Problems } from '../runtime/problems.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { countListed, type ListFormat, linesFromJson } from './import-list.ts';
import { countOpenImports, findImport, type ImportRow, insertImport } from './import-store.ts';
import { type ImportBody, MAX_IMPORT } from './schema.ts';
import type { Reason } from './suppression.ts';

/** Lists of up to 20 MiB each are stored until they are imported. */
const MAX_OPEN_IMPORTS = 10;

export interface ImportDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** CSV arrives as bytes, JSON as items that the schema has validated. */
export async function startImport(
  { db, clock }: ImportDeps,
  organizationId: string,
  body: Buffer | ImportBody | null | undefined,
  reason: Reason | null,
): Promise<ImportRow> {
  const { format, payload } = await toList(body);
  const total = await countListed(payload, format, MAX_IMPORT);
  if (total === 0) throw refusal('the list holds no address');
  if (total > MAX_IMPORT) throw refusal(`the list holds more than ${MAX_IMPORT} addresses: split it`);
  return db.transaction(async (tx) => {
    // The lock keeps concurrent requests from exceeding the limit together.
    await lockOrganization(tx, organizationId);
    if ((await countOpenImports(tx, organizationId)) >= MAX_OPEN_IMPORTS) throw tooMany();
    const createdAt = new Date(clock.nowMs());
    return insertImport(tx, { organizationId, id: newId('imp'), format, reason, payload, total, createdAt });
  });
}

function tooMany(): ServiceError {
  const message = `${MAX_OPEN_IMPORTS} imports are already waiting: wait for one to finish.`;
  return new ServiceError('CONFLICT', message);
}

export async function getImport({ db }: ImportDeps, organizationId: string, id: string): Promise<ImportRow> {
  const row = await findImport(db, organizationId, id);
  if (row === undefined) throw new ServiceError('NOT_FOUND', 'There is no such import.');
  return row;
}

export function importView({ state, ...row }: ImportRow) {
  return { ...row, status: state };
}

async function toList(
  body: Buffer | ImportBody | null | undefined,
): Promise<{ format: ListFormat; payload: string }> {
  if (!body) throw refusal('send the list as text/csv, or as JSON');
  if (!Buffer.isBuffer(body)) return { format: 'json', payload: await linesFromJson(body.suppressions) };
  if (!isUtf8(body)) throw refusal('the list is not valid UTF-8');
  if (body.includes(0)) throw refusal('the list must not contain NUL characters');
  return { format: 'csv', payload: body.toString('utf8') };
}

function refusal(message: string): ServiceError {
  return new Problems().add('body', message).toError();
}
