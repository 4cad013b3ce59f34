/** Operations on one organization's streams. */
import type { Database } from '../database/database.ts';
import { lockOrganization } from '../organizations/store.ts';
import type { Clock } from '../runtime/clock.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { deletePace } from './pace-store.ts';
import {
  deleteStream,
  findStream,
  insertStream,
  listStreams,
  putStream,
  type StreamSettings,
} from './store.ts';
import { BUILT_IN, builtIn, type Stream } from './stream.ts';

export interface StreamDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** Each stream is a name in statistics and an option in every form. */
const MAX_STREAMS = 50;

/** Built-in streams come first. */
export async function streamsOf({ db }: Pick<StreamDeps, 'db'>, organizationId: string): Promise<Stream[]> {
  const made = await listStreams(db, organizationId);
  const first = BUILT_IN.map((one) => made.find(({ name }) => name === one.name) ?? one);
  return [...first, ...made.filter(({ name }) => builtIn(name) === undefined)];
}

export async function streamNamed(
  { db }: Pick<StreamDeps, 'db'>,
  organizationId: string,
  name: string,
): Promise<Stream> {
  const found = (await findStream(db, organizationId, name)) ?? builtIn(name);
  if (found === undefined) throw unknown();
  return found;
}

export async function createStream(
  { db, clock }: StreamDeps,
  organizationId: string,
  settings: StreamSettings,
): Promise<Stream> {
  return db.transaction(async (tx) => {
    // The lock keeps concurrent requests from exceeding the limit together.
    await lockOrganization(tx, organizationId);
    const all = await listStreams(tx, organizationId);
    if (all.length >= MAX_STREAMS)
      throw new ServiceError(
        'CONFLICT',
        `There are already ${MAX_STREAMS} streams, which is the maximum. Delete a stream first.`,
      );
    const made =
      builtIn(settings.name) === undefined
        ? await insertStream(tx, organizationId, settings, new Date(clock.nowMs()))
        : undefined;
    if (made === undefined)
      throw new ServiceError(
        'CONFLICT',
        `A stream ${settings.name} already exists. Change it with PATCH /streams/${settings.name}.`,
      );
    return made;
  });
}

export async function changeStream(
  { db, clock }: StreamDeps,
  organizationId: string,
  name: string,
  change: Partial<Omit<StreamSettings, 'name'>>,
): Promise<Stream> {
  if (name === BUILT_IN[0]?.name)
    throw new ServiceError(
      'CONFLICT',
      `The stream ${name} cannot be changed: mail that names no stream is in it. Create your own stream with POST /streams.`,
    );
  return db.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const before = (await findStream(tx, organizationId, name)) ?? builtIn(name);
    if (before === undefined) throw unknown();
    const { createdAt: _, ...settings } = before;
    return putStream(tx, organizationId, { ...settings, ...change }, new Date(clock.nowMs()));
  });
}

/** Its mail is kept under the same stream name. */
export async function removeStream(
  { db }: Pick<StreamDeps, 'db'>,
  organizationId: string,
  name: string,
): Promise<void> {
  if (builtIn(name) !== undefined)
    throw new ServiceError(
      'CONFLICT',
      `The stream ${name} is built in and cannot be deleted. Stop naming it in sends instead.`,
    );
  await db.transaction(async (tx) => {
    if (!(await deleteStream(tx, organizationId, name))) throw unknown();
    await deletePace(tx, { organizationId, stream: name });
  });
}

function unknown(): ServiceError {
  return new ServiceError('NOT_FOUND', 'No stream has this name. GET /streams lists the streams.');
}
