/** Suppressed addresses by stream. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Sql } from '../../../database/sql.ts';
import { addDetails, nameTarget } from '../../../http/audit.ts';
import { JSON_TYPE } from '../../../http/error-handler.ts';
import type { JsonFields } from '../../../http/json-fields.ts';
import { type Address, parseAddress } from '../../../protocols/message/address.ts';
import { Problems } from '../../../runtime/problems.ts';
import { addSuppression, listSuppressions, type SuppressionDeps } from '../../../suppressions/service.ts';
import { nextSuppressions } from '../../../suppressions/store-read.ts';
import { REASONS, type Reason, type SuppressionRow } from '../../../suppressions/suppression.ts';
import { removeListed, targetName } from '../reason-lists.ts';
import { BROADCAST, fieldsOfPostmark } from './message-body.ts';
import { addressIn, momentIn, type PostmarkQuery, postmarkQuery } from './query.ts';

const MAX_ADDRESSES = 50;
const PAGE = 2_000;

type StreamParams = { Params: { stream: string } };
type Change = (organizationId: string, stream: string, address: Address) => Promise<void>;

export function routePostmarkSuppressions(app: FastifyInstance, deps: SuppressionDeps): void {
  app.get<StreamParams>('/message-streams/:stream/suppressions/dump', async (request, reply) => {
    const { organizationId } = request.principal;
    const asked = suppressionsRequestOf(postmarkQuery(request), request.params.stream);
    reply.header('Content-Type', JSON_TYPE);
    return reply.send(Readable.from(dump(deps, organizationId, asked), { objectMode: false }));
  });

  const created = { config: { audit: { action: 'suppression.created' } } };
  app.post<StreamParams>('/message-streams/:stream/suppressions', created, (request) => {
    addDetails(request, { reason: reasonInStream(request.params.stream) });
    return changeAll(request, 'Suppressed', (...asked) => suppressIn(deps, ...asked));
  });

  const deleted = { config: { audit: { action: 'suppression.deleted' } } };
  app.post<StreamParams>('/message-streams/:stream/suppressions/delete', deleted, (request) =>
    changeAll(request, 'Deleted', (...asked) => unsuppressIn(deps, ...asked)),
  );
}

/**
 * Returns the whole list, as Postmark does. Pages are streamed as they are read, so a million entries need
 * little memory.
 */
async function* dump(
  deps: SuppressionDeps,
  organizationId: string,
  asked: SuppressionsRequest,
): AsyncGenerator<string> {
  let separator = '{"Suppressions":[';
  for await (const rows of pagesOf(deps, organizationId, asked.address)) {
    for (const row of rows.filter(asked.isMeant)) {
      yield separator + JSON.stringify(postmarkSuppression(row));
      separator = ',';
    }
  }
  yield separator === ',' ? ']}' : `${separator}]}`;
}

async function* pagesOf(
  deps: SuppressionDeps,
  organizationId: string,
  address: Address | null,
): AsyncGenerator<SuppressionRow[]> {
  const db: Sql = deps.reads.of(organizationId);
  if (address !== null) {
    yield (await listSuppressions(deps, organizationId, { address, page: 1, limit: PAGE })).rows;
    return;
  }
  for (let lastId: string | null = null; ; ) {
    const rows: SuppressionRow[] = await nextSuppressions(db, organizationId, lastId, PAGE);
    yield rows;
    if (rows.length < PAGE) return;
    lastId = rows.at(-1)?.id ?? null;
  }
}

/** Changes each entry separately, so that an invalid one does not block the others. */
async function changeAll(request: FastifyRequest<StreamParams>, status: string, change: Change) {
  const { stream } = request.params;
  const changed: string[] = [];
  const Suppressions = [];
  for (const text of addressesIn(request.body)) {
    const address = typeof text === 'string' ? parseAddress(text) : parseAddress('');
    if (address.ok) {
      await change(request.principal.organizationId, stream, address);
      changed.push(address.email);
    }
    Suppressions.push({
      EmailAddress: text,
      Status: address.ok ? status : 'Failed',
      Message: address.ok ? null : address.message,
    });
  }
  nameTarget(request, targetName(changed));
  return { Suppressions };
}

function addressesIn(body: unknown): unknown[] {
  const { Suppressions: list } = fieldsOfPostmark(body);
  if (!Array.isArray(list) || list.length > MAX_ADDRESSES)
    throw new Problems().add('Suppressions', `must be an array of up to ${MAX_ADDRESSES} entries`).toError();
  return list.map((entry: JsonFields | null) => entry?.EmailAddress);
}

function groupOfStream(stream: string): string | null {
  return stream === BROADCAST ? BROADCAST : null;
}

/**
 * Postmark has a suppression list per stream. Here, suppressions of all mail appear in every stream, and
 * unsubscribes from the group `broadcast` appear in the stream `broadcast`.
 */
function reasonInStream(stream: string): Reason {
  return groupOfStream(stream) === null ? 'manual' : 'unsubscribe';
}

async function suppressIn(
  deps: SuppressionDeps,
  organizationId: string,
  stream: string,
  address: Address,
): Promise<void> {
  const group = groupOfStream(stream);
  const reason = reasonInStream(stream);
  await addSuppression(deps, organizationId, address, {
    reason,
    ...(group === null ? {} : { unsubscribe_group: group }),
  });
}

/** Succeeds when the address is not on the list, because the goal is already reached. */
export async function unsuppressIn(
  deps: SuppressionDeps,
  organizationId: string,
  stream: string,
  address: Address,
): Promise<void> {
  const group = groupOfStream(stream);
  await removeListed(deps, organizationId, address, (row) => row.unsubscribe_group === group);
}

const REASON_NAMES: Readonly<Record<Reason, string>> = {
  hard_bounce: 'HardBounce',
  soft_bounce: 'HardBounce',
  complaint: 'SpamComplaint',
  unsubscribe: 'ManualSuppression',
  manual: 'ManualSuppression',
};

function postmarkSuppression({ email, reason, source, created_at }: SuppressionRow) {
  return {
    EmailAddress: email,
    SuppressionReason: REASON_NAMES[reason],
    Origin: source === 'manual' ? 'Customer' : 'Recipient',
    CreatedAt: created_at,
  };
}

interface SuppressionsRequest {
  readonly address: Address | null;
  readonly isMeant: (row: SuppressionRow) => boolean;
}

const FILTER_NAMES = { suppressionreason: 'SuppressionReason', origin: 'Origin' } as const;
const CHOICES: Readonly<Record<string, ReadonlySet<string>>> = {
  suppressionreason: new Set(REASONS.map((reason) => REASON_NAMES[reason])),
  origin: new Set(['Recipient', 'Customer', 'Admin']),
};

function suppressionsRequestOf(query: PostmarkQuery, stream: string): SuppressionsRequest {
  const { suppressionreason: reason, origin } = query;
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = query[name];
    if (value !== undefined && !choices.has(value))
      throw new Problems()
        .add(FILTER_NAMES[name as keyof typeof FILTER_NAMES], `must be one of ${[...choices].join(', ')}`)
        .toError();
  }
  const [fromMs, toMs] = [
    momentIn(query, 'fromdate') ?? 0,
    momentIn(query, 'todate') ?? Number.POSITIVE_INFINITY,
  ];
  const isMeant = (row: SuppressionRow) => {
    const shown = postmarkSuppression(row);
    const atMs = row.created_at.getTime();
    const isAsked = (value: string | undefined, is: string) => value === undefined || value === is;
    return (
      row.unsubscribe_group === groupOfStream(stream) &&
      isAsked(reason, shown.SuppressionReason) &&
      isAsked(origin, shown.Origin) &&
      atMs >= fromMs &&
      atMs <= toMs
    );
  };
  return { address: addressIn(query, 'emailaddress'), isMeant };
}
