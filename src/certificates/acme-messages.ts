/** Validates ACME responses (RFC 8555 section 7.1), because a directory URL may point to any server. */
import { AcmeError, asOneLine, problemOf } from './acme-error.ts';

export interface Order {
  readonly url: string;
  readonly status: string;
  readonly authorizations: readonly string[];
  readonly finalize: string;
  readonly certificate: string | undefined;
  /** The reason why it became invalid. */
  readonly problem: string | undefined;
}

export interface Authorization {
  readonly status: string;
  readonly challenges: readonly Challenge[];
}

export interface Challenge {
  readonly type: string;
  readonly url: string;
  readonly token: string;
  readonly status: string;
  readonly problem: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Only tokens that RFC 8555 allows are accepted, because tokens become paths and rows. */
export const TOKEN = /^[A-Za-z0-9_-]{16,256}$/;

export function readDirectory(given: unknown) {
  const fields = fieldsOf(given);
  const urls = [fields.newNonce, fields.newAccount, fields.newOrder];
  if (urls.some((one) => typeof one !== 'string'))
    throw new AcmeError(
      'POSTRIDER_ACME_DIRECTORY is not the directory of an ACME server: newNonce, newAccount or newOrder is missing.',
    );
  const [newNonce, newAccount, newOrder] = urls as [string, string, string];
  return { newNonce, newAccount, newOrder };
}

export function readOrder(given: unknown, url: string): Order {
  const { status, authorizations, finalize, certificate, error } = fieldsOf(given);
  return {
    url,
    status: text('status', status),
    authorizations: Array.isArray(authorizations)
      ? authorizations.filter((one) => typeof one === 'string')
      : [],
    finalize: text('finalize', finalize),
    certificate: typeof certificate === 'string' ? certificate : undefined,
    problem: error === undefined ? undefined : wordsOf(error),
  };
}

export function readAuthorization(given: unknown): Authorization {
  const { status, challenges } = fieldsOf(given);
  const list = Array.isArray(challenges) ? challenges : [];
  return { status: text('status', status), challenges: list.flatMap(readChallenge) };
}

/** Empty for challenge types without a token. */
function readChallenge(given: unknown): Challenge[] {
  const { type, url, token, status, error } = fieldsOf(given);
  if (typeof type !== 'string' || typeof url !== 'string') return [];
  if (typeof token !== 'string' || !TOKEN.test(token)) return [];
  const problem = error === undefined ? undefined : wordsOf(error);
  return [{ type, url, token, status: typeof status === 'string' ? status : 'pending', problem }];
}

function wordsOf(error: unknown): string {
  const { type, detail } = problemOf(error);
  return type === undefined ? detail : `${type}: ${detail}`;
}

function fieldsOf(given: unknown): Fields {
  return typeof given === 'object' && given !== null ? (given as Fields) : {};
}

function text(name: string, given: unknown): string {
  if (typeof given === 'string') return asOneLine(given);
  throw new AcmeError(`The ACME server sent an object without ${name}.`);
}
