/** The installation's additional protocols: other services' APIs, and MCP. */

import type { Dialect } from '../http/dialect.ts';
import { KnownHosts } from '../http/known-hosts.ts';
import { createMailgunDialect } from '../ingress/compat/mailgun/dialect.ts';
import { createPostmarkDialect } from '../ingress/compat/postmark/dialect.ts';
import { createResendDialect } from '../ingress/compat/resend/dialect.ts';
import { createSendgridDialect } from '../ingress/compat/sendgrid/dialect.ts';
import { createMcpDialect } from '../ingress/mcp/dialect.ts';
import type { ApiDeps } from './api-parts.ts';
import type { ApiServices } from './api-services.ts';
import { packageVersion } from './package-version.ts';

export function createDialects(deps: ApiDeps, services: ApiServices): Dialect[] {
  const shared = { ...deps, ...services, submission: services.accepting.submission };
  return [
    createResendDialect(shared),
    createSendgridDialect(shared),
    createPostmarkDialect(shared),
    createMailgunDialect({ ...shared, publicUrl: deps.config.publicUrl }),
    createMcp(deps),
  ];
}

function createMcp({ config }: ApiDeps): Dialect {
  const hosts = new KnownHosts(config);
  return createMcpDialect({
    version: packageVersion(),
    isSandbox: config.mode === 'sandbox',
    isOwnHost: (name) => hosts.has(name),
  });
}
