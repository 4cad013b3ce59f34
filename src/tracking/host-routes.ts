/**
 * What is asked about the hosts that links are on, by machines: both answer 200 or 404, and not a word more.
 *
 * - `/t/ask?domain=…`: whether a proxy may get a certificate for a host (the `ask` of Caddy's on-demand TLS). Yes for tracking
 *   hosts of verified domains from which DNS leads to us and for the host of our own MTA-STS policy, no for everything else.
 * - `/t/h/<proof>`: whether this installation answers under the name that was asked for. We ask that ourselves before links
 *   are put on a host: it shows that the proxy has a certificate for it and passes its name on.
 */
import { timingSafeEqual } from 'node:crypto';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { ForeignName } from '../http/link-hosts.ts';
import { HOST_PATH } from '../protocols/message/tracking-links.ts';
import { hostProof } from '../protocols/message/tracking-token.ts';
import { type DerivedKeys, withAnyKey } from '../runtime/key-ring.ts';

export const ASK_PATH = '/t/ask';

export interface HostDeps {
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
