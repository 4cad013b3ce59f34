/**
 * Whether the bucket stores, returns and deletes objects, keeps them private, and whether pending deletions
 * are processed.
 */
import { randomUUID } from 'node:crypto';
import { isInAnyCell, ofAllCells } from '../../database/per-cell.ts';
import { waitingRemovals } from '../../emails/moved/object-removals.ts';
import { anyMoved } from '../../emails/moved/store-moved.ts';
import { StoreProblem } from '../../protocols/object-store/object-store.ts';
import { S3Store } from '../../protocols/object-store/s3-store.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { BucketConfig } from '../../runtime/content-store-config.ts';
import { DAY_MS } from '../../runtime/durations.ts';
import { doctorCheck } from '../doctor-check.ts';
import { type DoctorContext, databaseOf } from '../doctor-context.ts';
import { counted, type Observation } from '../finding.ts';

const STEPS = ['put', 'get', 'list', 'remove'] as const;
type Step = (typeof STEPS)[number];

interface ContentStoreFacts {
  /** Null without a configured bucket. */
  readonly bucket: string | null;
  readonly failed: { readonly step: Step; readonly problem: string } | null;
  readonly isPublic: boolean;
  readonly anyMoved: boolean;
  readonly waiting: number;
  /** Minimum age of the oldest pending deletion. */
  readonly waitingMs: number;
}

export const contentStoreCheck = doctorCheck({
  name: 'content_store',
  needsDatabase: true,
  matters: 'Content in the content store cannot be read, retried or removed.',
  gather: gatherContentStore,
  judge: judgeContentStore,
});

async function gatherContentStore(context: DoctorContext): Promise<ContentStoreFacts> {
  const db = databaseOf(context);
  const { contentStore } = context.config;
  const [moved, waiting] = await Promise.all([
    isInAnyCell(db, anyMoved),
    ofAllCells(db, async (cell) => [await waitingRemovals(cell)]),
  ]);
  const since = waiting.flatMap(({ oldest }) => (oldest === null ? [] : [oldest.getTime()]));
  const tried = contentStore && (await tryOut(contentStore, context.clock));
  return {
    bucket: contentStore?.bucket ?? null,
    ...{ failed: tried?.failed ?? null, isPublic: tried?.isPublic ?? false, anyMoved: moved },
    waiting: waiting.reduce((sum, { count }) => sum + count, 0),
    waitingMs: since.length === 0 ? 0 : context.clock.nowMs() - Math.min(...since),
  };
}

async function tryOut(
  bucket: BucketConfig,
  clock: Clock,
): Promise<Pick<ContentStoreFacts, 'failed' | 'isPublic'>> {
  const store = new S3Store(bucket, clock);
  const name = `doctor/${randomUUID()}`;
  const bytes = Buffer.from('Written by postrider doctor, and to be removed by it.');
  let step: Step = 'put';
  let isPublic = false;
  try {
    await store.put(name, bytes);
    step = 'get';
    const read = await store.get(name);
    if (read?.equals(bytes) !== true)
      throw new StoreProblem('The object that was read differs from the object that was written.');
    isPublic = await store.isReadByAnybody(name).catch(() => false);
    step = 'list';
    if (!(await store.list('doctor/')).includes(name))
      throw new StoreProblem('The bucket does not list the object.');
    step = 'remove';
    await store.remove(name);
    if ((await store.get(name)) !== null)
      throw new StoreProblem('The bucket still returns the removed object.');
    return { failed: null, isPublic };
  } catch (error) {
    if (!(error instanceof StoreProblem)) throw error;
    if (step !== 'put') await store.remove(name).catch(() => undefined);
    return { failed: { step, problem: error.message }, isPublic };
  }
}

function judgeContentStore(facts: ContentStoreFacts): Observation[] {
  const { bucket, failed, isPublic, waiting, waitingMs } = facts;
  if (bucket === null) return judgeWithout(facts);
  const wrong: Observation[] = [];
  if (failed !== null) wrong.push(judgeFailure(bucket, failed));
  if (isPublic)
    wrong.push({
      level: 'warn',
      seen: `Anybody can read objects of the bucket ${bucket} without signing in.`,
      why: 'Content is encrypted, but names and sizes of objects reveal the volume and the times of the mail of each organization.',
      fix: 'Block public access to the bucket, and remove its public policy.',
    });
  if (waiting > 0 && waitingMs > DAY_MS)
    wrong.push({
      level: 'warn',
      seen: `${counted(waiting, 'object')} or groups of them wait to be removed, the oldest for ${counted(Math.floor(waitingMs / DAY_MS), 'day')}.`,
      why: 'They use storage. Their keys are deleted, so nobody can read them.',
      fix: 'The log of the worker says why they cannot be removed.',
    });
  const well = `The bucket ${bucket} takes, gives, lists and removes objects${waiting === 0 ? '' : `; ${waiting} wait to be removed`}.`;
  return wrong.length > 0 ? wrong : [{ level: 'ok', seen: well }];
}

const MAY_FAIL_FOR: Readonly<Record<Step, string>> = {
  put: 'Check POSTRIDER_CONTENT_S3_ENDPOINT, _BUCKET, _REGION and the keys, which must be allowed s3:PutObject and s3:GetObject.',
  get: 'Allow the keys s3:GetObject.',
  list: 'Allow the keys s3:ListBucket: whole weeks are removed by the prefix of their names.',
  remove: 'Allow the keys s3:DeleteObject.',
};

function judgeFailure(
  bucket: string,
  { step, problem }: NonNullable<ContentStoreFacts['failed']>,
): Observation {
  const level = step === 'put' || step === 'get' ? 'bad' : 'warn';
  return {
    level,
    seen: `The bucket ${bucket} fails to ${step} an object. ${problem}`,
    fix: MAY_FAIL_FOR[step],
  };
}

/** Reports nothing when there never was a store. */
function judgeWithout({ anyMoved: any, waiting }: ContentStoreFacts): Observation[] {
  if (!any && waiting === 0) return [];
  const seen = any
    ? 'Content of emails was moved to a content store, and none is configured.'
    : `${counted(waiting, 'object')} or groups of them wait to be removed from a content store, and none is configured.`;
  const fix =
    'Set POSTRIDER_CONTENT_S3_ENDPOINT and the other settings of the content store. With POSTRIDER_CONTENT_S3_AFTER=off no further content is moved.';
  return [{ level: any ? 'bad' : 'warn', seen, fix }];
}
