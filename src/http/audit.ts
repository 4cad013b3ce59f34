/**
 * Writes the audit log. A route names its action in `config`; this hook stores the entry after the change and
 * before the response. If the write fails, the entry goes to the log instead: the change is done, and an
 * error would make the client repeat it.
 */
import type {
  FastifyRequest,
  onSendAsyncHookHandler,
  preSerializationAsyncHookHandler,
  RouteOptions,
} from 'fastify';
import type { AuditEntry, WriteAudit } from '../runtime/audit-entry.ts';
import { principalIfAny } from './authenticate.ts';
import type { Principal } from './principal.ts';

export interface AuditRule {
  readonly action: string;
  /** Body fields whose values are kept. None are kept by default, because bodies hold passwords. */
  readonly show?: readonly string[];
}

export function auditOnSuccess(write: WriteAudit) {
  return (route: RouteOptions): void => {
    const rule = route.config?.audit;
    if (!rule) return;
    const hook: preSerializationAsyncHookHandler = async (request, reply, payload) => {
      const actor = principalIfAny(request);
      if (reply.statusCode < 400 && actor)
        for (const entry of entriesOf(request, actor, rule, payload)) await record(write, entry, request);
      return payload;
    };
    // An answer without a body is not serialized.
    const whereEmpty: onSendAsyncHookHandler = async (request, reply, payload) =>
      payload === undefined || payload === null
        ? hook.call(request.server, request, reply, payload)
        : payload;
    route.preSerialization = [hook, ...[route.preSerialization ?? []].flat()];
    route.onSend = [whereEmpty, ...[route.onSend ?? []].flat()];
  };
}

const TARGET_NAME = Symbol('target name');
const TARGET_ID = Symbol('target id');
const DETAILS = Symbol('details');
const TARGETS = Symbol('targets');

type WithTarget = FastifyRequest & {
  [TARGET_NAME]?: string;
  [TARGET_ID]?: string;
  [DETAILS]?: Readonly<Record<string, unknown>>;
  [TARGETS]?: readonly Target[];
};

/** For handlers that delete: the name of the target cannot be looked up afterwards. */
export function nameTarget(request: FastifyRequest, name: string): void {
  (request as WithTarget)[TARGET_NAME] = name;
}

/** For handlers that answer with another service's id instead of ours. */
export function identifyTarget(request: FastifyRequest, id: string): void {
  (request as WithTarget)[TARGET_ID] = id;
}

export interface Target {
  readonly id: string;
  readonly name?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** For handlers that change several things: each thing gets an entry of its own. */
export function setTargets(request: FastifyRequest, targets: readonly Target[]): void {
  (request as WithTarget)[TARGETS] = targets;
}

/** Adds details about a change that are not in the request body. */
export function addDetails(request: FastifyRequest, details: Readonly<Record<string, unknown>>): void {
  (request as WithTarget)[DETAILS] = details;
}

async function record(write: WriteAudit, entry: AuditEntry, request: FastifyRequest): Promise<void> {
  try {
    await write(entry);
  } catch (error) {
    request.log.error({ err: error, entry }, 'could not write to the audit log');
  }
}

function entriesOf(
  request: FastifyRequest,
  actor: Principal,
  rule: AuditRule,
  payload: unknown,
): AuditEntry[] {
  const entry = entryOf(request, actor, rule, payload);
  const targets = (request as WithTarget)[TARGETS];
  if (targets === undefined) return [entry];
  return targets.map(({ id, name = null, details = {} }) => ({
    ...{ ...entry, targetId: id, targetName: name },
    details: { ...entry.details, ...details },
  }));
}

function entryOf(request: FastifyRequest, actor: Principal, rule: AuditRule, payload: unknown): AuditEntry {
  // Our own responses use an envelope; those of dialects do not.
  const data = fieldsOf(fieldsOf(payload).data ?? payload);
  const { id } = fieldsOf(request.params);
  return {
    ...actorOf(actor),
    action: rule.action,
    targetId: (request as WithTarget)[TARGET_ID] ?? textOf(data.id) ?? textOf(id),
    targetName: (request as WithTarget)[TARGET_NAME] ?? nameOf(data) ?? nameOf(fieldsOf(request.body)),
    details: { ...shown(fieldsOf(request.body), rule.show ?? []), ...(request as WithTarget)[DETAILS] },
    address: request.ip,
  };
}

function actorOf({ organizationId, keyId, session }: Principal) {
  if (session) return { organizationId, actorType: 'user' as const, actorId: session.userId };
  if (keyId === null) throw new Error('a request comes with a key or with a session');
  return { organizationId, actorType: 'api_key' as const, actorId: keyId };
}

const NAMES = ['name', 'email', 'domain', 'url'] as const;
const MAX_NAME_CHARS = 300;

/** The name under which a user knows the resource. */
function nameOf(fields: Readonly<Record<string, unknown>>): string | null {
  for (const field of NAMES) {
    const text = textOf(fields[field]);
    if (text !== null) return text.slice(0, MAX_NAME_CHARS);
  }
  return null;
}

function shown(body: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  );
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
