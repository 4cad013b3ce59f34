/** Requests to an ACME server, signed with the account key (RFC 7515 with ES256, RFC 8555 section 6.2). */
import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';

export interface JwsHeader {
  readonly url: string;
  readonly nonce: string;
  /** The account's URL; undefined before there is one, when the key itself is sent. */
  readonly account: string | undefined;
}

/** An undefined `payload` means POST-as-GET. */
export function signedRequest(key: KeyObject, header: JwsHeader, payload: unknown): string {
  const { url, nonce, account } = header;
  const who = account === undefined ? { jwk: jwkOf(key) } : { kid: account };
  const head = base64url(JSON.stringify({ alg: 'ES256', ...who, nonce, url }));
  const body = payload === undefined ? '' : base64url(JSON.stringify(payload));
  const signature = sign('sha256', Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' });
  return JSON.stringify({ protected: head, payload: body, signature: signature.toString('base64url') });
}

/** The response to a challenge. */
export function keyAuthorization(key: KeyObject, token: string): string {
  const thumbprint = createHash('sha256')
    .update(JSON.stringify(jwkOf(key)))
    .digest('base64url');
  return `${token}.${thumbprint}`;
}

/** Members in the order that RFC 7638 requires for thumbprints. */
function jwkOf(key: KeyObject) {
  const { crv, kty, x, y } = createPublicKey(key).export({ format: 'jwk' });
  return { crv, kty, x, y };
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
