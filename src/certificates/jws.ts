/** Requests to an ACME server, signed with the key of the account (RFC 7515 with ES256, RFC 8555 section 6.2). */
import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';

export interface JwsHeader {
  readonly url: string;
  readonly nonce: string;
  /** The URL of the account; undefined until there is one, when the key itself is sent. */
  readonly account: string | undefined;
}

/** `payload` undefined: POST-as-GET. */
export function signedRequest(key: KeyObject, header: JwsHeader, payload: unknown): string {
  const { url, nonce, account } = header;
  const who = account === undefined ? { jwk: jwkOf(key) } : { kid: account };
  const head = base64url(JSON.stringify({ alg: 'ES256', ...who, nonce, url }));
  const body = payload === undefined ? '' : base64url(JSON.stringify(payload));
  const signature = sign('sha256', Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' });
  return JSON.stringify({ protected: head, payload: body, signature: signature.toString('base64url') });
}

/** What a challenge is answered with. */
export function keyAuthorization(key: KeyObject, token: string): string {
  const thumbprint = createHash('sha256')
    .update(JSON.stringify(jwkOf(key)))
    .digest('base64url');
  return `${token}.${thumbprint}`;
}

/** Members in the order that RFC 7638 demands for thumbprints. */
function jwkOf(key: KeyObject) {
  const { crv, kty, x, y } = createPublicKey(key).export({ format: 'jwk' });
  return { crv, kty, x, y };
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
