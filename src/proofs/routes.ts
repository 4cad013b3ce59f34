/** Proofs of an email's history, and the public keys to check them with. */
import type { FastifyPluginAsync } from 'fastify';
import { Type } from 'typebox';
import type { Database } from '../database/database.ts';
import type { EmailService } from '../emails/service.ts';
import { type EmailRow, type RecipientRow, recipientsOf } from '../emails/store-read.ts';
import { TRANSACTIONAL } from '../emails/stream.ts';
import { type AttemptRow, attemptsOfEmail } from '../events/attempts.ts';
import { type EventRow, eventsOfEmail, eventView } from '../events/read.ts';
import { reachOf } from '../http/access.ts';
import type { ApiRoutes } from '../http/api-routes.ts';
import { dataOf } from '../http/envelope.ts';
import { strictObject, timestamp } from '../http/schema.ts';
import type { Clock } from '../runtime/clock.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { type Proof, type ProofEntry, seal } from './chain.ts';
import type { ProofKeys } from './proof-keys.ts';

/** The schema of a proof. Entries may have any fields, because `verify-proof` and people read them unchanged. */
const proof = Type.Object(
  {
    version: Type.Literal(1),
    issuer: Type.String({ description: 'URL of the installation that issued the proof.' }),
    issued_at: timestamp(),
    email_id: Type.String(),
    algorithm: Type.Literal('ed25519'),
    public_key: Type.String({ description: 'Public key of the signature: 32 bytes in base64url.' }),
    entries: Type.Array(
      Type.Object({
        hash: Type.String({ description: 'SHA-256 of the previous hash and this entry.' }),
        entry: Type.Unsafe<Record<string, unknown>>({
          type: 'object',
          additionalProperties: true,
          description: 'Content of the entry: an `email`, an `event`, an `attempt` or a `report`.',
        }),
      }),
    ),
    signature: Type.String({
      description: 'Signature of the number of entries and the last hash: 64 bytes in base64url.',
    }),
  },
  { $id: 'Proof' },
);

interface ProofRouteDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly service: EmailService;
  readonly keys: ProofKeys;
  readonly publicUrl: string;
}

const PROOF_KEYS_PATH = '/.well-known/postrider-proof-keys.json';

export function proofRoutes({ db, clock, service, keys, publicUrl }: ProofRouteDeps): ApiRoutes {
  return async (app) => {
    app.get(
      '/emails/:id/proof',
      {
        config: { tied: true, errors: ['NOT_FOUND'] },
        schema: {
          tags: ['Emails'],
          summary: 'Get a signed proof of the delivery of an email',
          description:
            'The proof contains the history of the email with the replies of the servers, the hash and the DKIM signatures of the accepted message, and the hash of the server certificate. The entries are hash-chained and signed. `npx postrider verify-proof` verifies the proof on any machine.',
          params: Type.Object({ id: Type.String() }),
          querystring: strictObject({
            recipient: Type.Optional(
              Type.String({ maxLength: 320, description: 'Only entries of this recipient.' }),
            ),
          }),
          response: { 200: dataOf(proof) },
        },
      },
      async ({ principal, params: { id }, query: { recipient } }) => {
        const email = await service.find(reachOf(principal), id);
        const all = await readAll(db, principal.organizationId, email);
        const found = recipient === undefined ? all : ofRecipient(all, recipient);
        if (found === null)
          throw new ServiceError(
            'NOT_FOUND',
            'This email has no recipient with this address. GET /emails/:id lists the recipients.',
          );
        const nowMs = clock.nowMs();
        const about = { issuer: publicUrl, issued_at: new Date(nowMs).toISOString(), email_id: email.id };
        return { data: proofView(seal(about, entriesOf(found), keys.at(nowMs))) };
      },
    );
  };
}

function proofView({ entries, ...proven }: Proof) {
  return { ...proven, entries: entries.map(({ hash, entry }) => ({ hash, entry: { ...entry } })) };
}

async function readAll(
  db: Database,
  organizationId: string,
  email: ProvenEmail['email'],
): Promise<ProvenEmail> {
  const [recipients, events, attempts] = await Promise.all([
    recipientsOf(db, organizationId, email.id),
    eventsOfEmail(db, organizationId, email.id),
    attemptsOfEmail(db, organizationId, email.id),
  ]);
  return { email, recipients, events, attempts };
}

/** Public, for recipients of a proof without an API key. */
export function proofKeyRoutes(keys: ProofKeys): FastifyPluginAsync {
  return async (app) => {
    app.get(PROOF_KEYS_PATH, async (_request, reply) =>
      reply
        .header('Cache-Control', 'public, max-age=300')
        .header('Access-Control-Allow-Origin', '*')
        .send({ algorithm: 'ed25519', keys: keys.publicKeys() }),
    );
  };
}

interface ProvenEmail {
  readonly email: EmailRow;
  readonly recipients: readonly RecipientRow[];
  readonly events: readonly EventRow[];
  readonly attempts: readonly AttemptRow[];
}

/** The entries of a proof: an email's record and everything that happened to it, in chronological order. Pure. */
function entriesOf({ email, recipients, events, attempts }: ProvenEmail): ProofEntry[] {
  const addresses = new Map(recipients.map(({ position, address }) => [position, address]));
  const happened = [
    ...events.map((event) => ({ at: event.created_at, entry: eventEntry(event) })),
    ...attempts.map((attempt) => ({ at: attempt.created_at, entry: attemptEntry(attempt, addresses) })),
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return [emailEntry(email, recipients), ...happened.map(({ entry }) => entry)].map(plain);
}

/** Limits the proof to one recipient, so that its reader sees no other recipients. */
function ofRecipient(found: ProvenEmail, address: string): ProvenEmail | null {
  const recipients = found.recipients.filter((one) => one.address.toLowerCase() === address.toLowerCase());
  const positions = new Set(recipients.map(({ position }) => position));
  if (recipients.length === 0) return null;
  return {
    email: found.email,
    recipients,
    events: found.events.filter(({ position }) => positions.has(position)),
    attempts: found.attempts.filter(({ position }) => positions.has(position)),
  };
}

function emailEntry(email: EmailRow, recipients: readonly RecipientRow[]): ProofEntry {
  const { id, mode, from_email, from_name, subject, created_at, scheduled_at, stream } = email;
  return {
    kind: 'email',
    id,
    mode,
    from: { email: from_email, name: from_name },
    subject,
    stream: stream ?? TRANSACTIONAL,
    created_at,
    scheduled_at,
    recipients: recipients.map(({ address, kind, state }) => ({ email: address, kind, status: state })),
  };
}

function eventEntry(event: EventRow): ProofEntry {
  return { kind: 'event', ...eventView(event) };
}

/** Includes the SMTP dialogue and what was transmitted. */
function attemptEntry(
  { position, kind, conversation, route, evidence, ...attempt }: AttemptRow,
  addresses: ReadonlyMap<number, string>,
): ProofEntry {
  return {
    kind,
    recipient: addresses.get(position) ?? null,
    ...attempt,
    route: route && { transport: route.transport, source: route.source },
    transcript: conversation === null ? null : conversation.split('\n'),
    message: evidence,
  };
}

/** Normalized by JSON, so that the hash matches what a reader parses. */
function plain(entry: ProofEntry): ProofEntry {
  return JSON.parse(JSON.stringify(entry)) as ProofEntry;
}
