/**
 * HTTP queries by machines about tracking hosts. Both routes answer 200 or 404 without details.
 *
 * - `/t/ask?domain=…`: whether a proxy may obtain a certificate for a host (the `ask` of Caddy's on-demand TLS). Allowed
 *   are hosts of verified domains whose DNS points to us and the host of our MTA-STS policy.
 * - `/t/h/<proof>`: whether this installation answers under the requested name. We request it before links use a host:
 *   success shows that the proxy has a certificate for the host and forwards its name.
 */
import { timingSafeEqual } from 'node:crypto';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { ForeignName } from '../http/link-hosts.ts';
import { HOST_PATH } from '../protocols/message/tracking-links.ts';
import { hostProof } from '../protocols/message/tracking-token.ts';
import { type DerivedKeys, withAnyKey } from '../runtime/key-ring.ts';

const ASK_PATH = '/t/ask';

interface HostDeps {
  readonly keys: DerivedKeys;
  readonly foreignName: ForeignName;
  readonly mayHaveCertificate: (host: string, address: string) => Promise<boolean>;
}

interface AskRoute {
  Querystring: { readonly domain?: unknown };
}

interface ProofRoute {
  Params: { '*': string };
}

export function hostRoutes({ keys, foreignName, mayHaveCertificate }: HostDeps): FastifyPluginAsync {
  return async (app) => {
    app.get<AskRoute>(ASK_PATH, async ({ query, ip }, reply) =>
      answer(reply, typeof query.domain === 'string' && (await mayHaveCertificate(query.domain, ip))),
    );

    app.get<ProofRoute>(`${HOST_PATH}*`, async (request, reply) => {
      const host = foreignName(request);
      return answer(reply, host !== null && isProof(request.params['*'], host, keys));
    });
  };
}

function isProof(given: string, host: string, keys: DerivedKeys): boolean {
  const bytes = Buffer.from(given);
  const made = withAnyKey(keys, (key) => {
    const proof = Buffer.from(hostProof(host, key));
    return proof.length === bytes.length && timingSafeEqual(proof, bytes) ? true : null;
  });
  return made === true;
}

function answer(reply: FastifyReply, isSo: boolean): FastifyReply {
  return reply
    .code(isSo ? 200 : 404)
    .header('Cache-Control', 'no-store')
    .send();
}
