/** `/first-steps`: the set-up progress of a new organization. */

import { Type } from 'typebox';
import { hasCreatedKey } from '../../accounts/api-keys/store.ts';
import { hasAccepted } from '../../counters/email-counts.ts';
import type { Reads } from '../../database/reads.ts';
import { SANDBOX_DOMAIN } from '../../domains/sandbox-domain.ts';
import { type DomainRow, listDomains } from '../../domains/store.ts';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { dataOf } from '../../http/envelope.ts';
import { nullable, stringEnum } from '../../http/schema.ts';
import type { Config } from '../../runtime/config.ts';
import { isLoopback } from '../../runtime/host-name.ts';
import { listEndpoints } from '../../webhooks/endpoints/store.ts';
import { type OwnDomain, STEPS, stepsOf } from './steps.ts';

const firstStepsSchema = Type.Object(
  {
    steps: Type.Array(
      Type.Object({
        step: stringEnum(STEPS, {
          description:
            '`first_email`: an email was sent. `api_key`: a key was created or used. `domain`: one of your domains is verified. `dmarc`: a verified domain has a DMARC record. `webhook`: a webhook exists. `live`: mail is sent to the Internet.',
        }),
        done: Type.Boolean(),
        id: nullable(
          Type.String({
            description: 'Id of the domain whose DNS records have to be published. Null for other steps.',
          }),
        ),
      }),
      { description: 'All steps, in the usual order.' },
    ),
    smtp: nullable(
      Type.Object(
        {
          host: Type.String(),
          port: Type.Integer(),
          encryption: stringEnum(['none', 'starttls']),
          tls_port: nullable(
            Type.Integer({ description: 'Port with TLS from the first byte. Null if there is none.' }),
          ),
          needs_password: Type.Boolean({
            description: 'Whether SMTP submission requires a password, which is an API key.',
          }),
        },
        {
          description:
            'Address at which applications submit mail over SMTP. Null if SMTP submission is switched off.',
        },
      ),
    ),
  },
  { $id: 'FirstSteps' },
);

interface FirstStepsDeps {
  readonly reads: Reads;
  readonly config: Pick<Config, 'mode' | 'hostname' | 'submission'>;
}

export function firstStepsRoutes({ reads, config }: FirstStepsDeps): ApiRoutes {
  const schema = {
    tags: ['Statistics'],
    summary: 'Get the state of the setup, and the address for SMTP submission',
    response: { 200: dataOf(firstStepsSchema) },
  };
  return async (app) => {
    app.get('/first-steps', { schema }, async ({ principal: { organizationId } }) => {
      const db = reads.lately(organizationId);
      const [hasSent, hasKey, domains, webhooks] = await Promise.all([
        hasAccepted(db, organizationId),
        hasCreatedKey(db, organizationId),
        listDomains(db, organizationId),
        listEndpoints(db, organizationId),
      ]);
      const own = domains.filter(({ domain }) => domain !== SANDBOX_DOMAIN).map(factsOf);
      const hasWebhook = webhooks.some(({ enabled }) => enabled);
      const steps = stepsOf({ mode: config.mode, hasSent, hasKey, domains: own, hasWebhook });
      return { data: { steps, smtp: smtpOf(config) } };
    });
  };
}

function factsOf({ id, spf_verified, dkim_verified, checks }: DomainRow): OwnDomain {
  const hasDmarc = checks?.some(({ record, status }) => record === 'dmarc' && status === 'pass') ?? false;
  return { id, isVerified: spf_verified && dkim_verified, hasDmarc };
}

/** The address for applications: the host name, unless the server listens on loopback. */
function smtpOf({ mode, hostname, submission }: FirstStepsDeps['config']) {
  const { isOn, host, port, tlsPort = null, offersStartTls } = submission;
  if (!isOn) return null;
  return {
    host: isLoopback(host) ? host : hostname,
    port,
    encryption: offersStartTls ? ('starttls' as const) : ('none' as const),
    tls_port: tlsPort,
    needs_password: mode === 'live',
  };
}
