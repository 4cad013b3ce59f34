/** Proofs of an email's history, and the public keys to check them with. */
import type { FastifyPluginAsync } from 'fastify';
import { Type } from 'typebox';
import type { Database } from '../database/database.ts';
import type { EmailService } from '../emails/service.ts';
import { recipientsOf } from '../emails/store-read.ts';
import { attemptsOfEmail } from '../events/attempts.ts';
import { eventsOfEmail } from '../events/read.ts';
import { reachOf } from '../http/access.ts';
import type { ApiRoutes } from '../http/api-routes.ts';
import { dataOf } from '../http/envelope.ts';
import { strictObject } from '../http/schema.ts';
import type { Clock } from '../runtime/clock.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { type Proof, seal } from './chain.ts';
import { entriesOf, ofRecipient, type ProvenEmail } from './entries.ts';
import type { ProofKeys } from './proof-keys.ts';
import { proof } from './schema.ts';

export interface ProofRouteDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly service: EmailService;
  readonly keys: ProofKeys;
  readonly publicUrl: string;
}

export const PROOF_KEYS_PATH = '/.well-known/postrider-proof-keys.json';

export function proofRoutes({ db, clock, service, keys, publicUrl }: ProofRouteDeps): ApiRoutes {
  return async (app) => {
    app.get(
      '/emails/:id/proof',
      {
        config: { tied: true, errors: ['NOT_FOUND'] },
        schema: {
          tags: ['Emails'],
          summary: 'Prove what became of an email',
          description:
            'What happened to it, with the words of the servers, the hash and the DKIM signatures of what they took and the hash of their certificate: hash-chained and signed. `npx postrider verify-proof` checks it anywhere.',
          params: Type.Object({ id: Type.String() }),
          querystring: strictObject({
            recipient: Type.Optional(
              Type.String({ maxLength: 320, description: 'Only what concerns this recipient.' }),
            ),
          }),
          response: { 200: dataOf(proof) },
        },
      },
      async ({ principal, params: { id }, query: { recipient } }) => {
        const email = await service.find(reachOf(principal), id);
        const all = await readAll(db, principal.organizationId, email);
        const found = recipient === undefined ? all : ofRecipient(all, recipient);
        if (found === null) throw new ServiceError('NOT_FOUND', 'This email has no such recipient.');
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
