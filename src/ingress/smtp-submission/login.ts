/** AUTH PLAIN (RFC 4616) and AUTH LOGIN: reads the client's password. The user name is ignored. */
import type { Client } from '../../protocols/smtp/server/dialogue.ts';
import type { Reply } from '../../protocols/smtp/server/replies.ts';
import { SUBMISSION_REPLIES as REPLIES } from './replies.ts';

export const MECHANISMS = 'AUTH PLAIN LOGIN';
/** In base64, as clients expect it. */
const USER_NAME = 'VXNlcm5hbWU6';
const PASSWORD = 'UGFzc3dvcmQ6';
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

type Password =
  | { readonly kind: 'password'; readonly password: string }
  | { readonly kind: 'none'; readonly reply: Reply };

export async function askPassword(argument: string, client: Client): Promise<Password> {
  const [mechanism = '', initial] = argument.split(/[ \t]+/);
  switch (mechanism.toUpperCase()) {
    case 'PLAIN':
      return plainPassword(await answer(client, '', initial));
    case 'LOGIN':
      return loginPassword(client, await answer(client, USER_NAME, initial));
    default:
      return none(REPLIES.unknownMechanism);
  }
}

/** `=` is an empty initial response. Null when the client has disconnected. */
async function answer(client: Client, challenge: string, initial?: string): Promise<string | null> {
  if (initial === undefined) return client.ask(challenge);
  return initial === '=' ? '' : initial;
}

function plainPassword(given: string | null): Password {
  const decoded = decode(given);
  if (typeof decoded !== 'string') return decoded;
  const [, , password] = decoded.split('\0');
  return password === undefined ? none(REPLIES.notBase64) : { kind: 'password', password };
}

async function loginPassword(client: Client, userName: string | null): Promise<Password> {
  const user = decode(userName);
  if (typeof user !== 'string') return user;
  const password = decode(await client.ask(PASSWORD));
  return typeof password === 'string' ? { kind: 'password', password } : password;
}

function decode(given: string | null): string | Password {
  if (given === null || given === '*') return none(REPLIES.cancelled);
  return BASE64.test(given) ? Buffer.from(given, 'base64').toString('utf8') : none(REPLIES.notBase64);
}

function none(reply: Reply): Password {
  return { kind: 'none', reply };
}
