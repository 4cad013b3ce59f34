/** The certificate of a mail server, as each handshake asks for it: one that was replaced is used from the next on. */
import { createSecureContext, type SecureContext, type TLSSocketOptions } from 'node:tls';

export interface ServerTls {
  /** For clients that name no host. */
  readonly default: SecureContext;
  find(name: string): SecureContext | undefined;
}

/** One certificate, in PEM, for all names. */
export function fixedTls(certificate: { readonly cert: string; readonly key: string }): ServerTls {
  const context = createSecureContext({ ...certificate });
  return { default: context, find: () => context };
}

export function serverSocketOptions(tls: ServerTls): TLSSocketOptions {
  return {
    isServer: true,
    secureContext: tls.default,
    SNICallback: (name, done) => done(null, tls.find(name) ?? tls.default),
  };
}
