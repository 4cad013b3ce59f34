/** One request of the fuzzer's: made from an operation, in one of three tempers. */
import type { Operation } from './document.ts';
import { hostileBody, hostileText, spoilt } from './hostile.ts';
import { nounOfParameter } from './id-pool.ts';
import type { Random } from './random.ts';
import { type Surroundings, validValue } from './valid.ts';

export const TEMPERS = ['valid', 'nearly valid', 'hostile'] as const;
export type Temper = (typeof TEMPERS)[number];

export interface FuzzRequest {
  readonly operation: Operation;
  readonly temper: Temper;
  readonly method: string;
  /** Below the API's prefix. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
  /** Sent in pieces, without a length. */
  readonly chunked: boolean;
}

export function makeRequest(operation: Operation, temper: Temper, around: Surroundings): FuzzRequest {
  const { random } = around;
  const { body, contentType } = bodyOf(operation, temper, around);
  const key = operation.parameters?.some(({ name }) => name === 'idempotency-key') && random.chance(0.2);
  return {
    operation,
    temper,
    method: operation.method,
    path: pathOf(operation, temper, around) + queryOf(operation, temper, around),
    headers: {
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...(key ? { 'idempotency-key': `key-${random.integer(1, 400)}` } : {}),
    },
    body,
    chunked: body !== undefined && random.chance(0.1),
  };
}

function pathOf(operation: Operation, temper: Temper, around: Surroundings): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (temper !== 'valid' && around.random.chance(0.15))
      return encoded(hostileText(around.random).slice(0, 500));
    if (name === 'version') return String(around.random.integer(1, 3));
    return encodeURIComponent(around.idOf(nounOfParameter(operation.path, name)));
  });
}

function queryOf(operation: Operation, temper: Temper, around: Surroundings): string {
  const { random } = around;
  const pairs: string[] = [];
  for (const parameter of operation.parameters ?? []) {
    if (parameter.in !== 'query' || (parameter.name === 'cursor' && temper === 'valid')) continue;
    if (!random.chance(0.3)) continue;
    // Whoever asks to be kept waiting is: a second is enough.
    const isWait = parameter.name === 'wait';
    const good = isWait ? random.integer(0, 1) : validValue(parameter.schema, around, [parameter.name]);
    const value = temper !== 'valid' && random.chance(0.4) ? hostileText(random).slice(0, 2_000) : good;
    pairs.push(`${parameter.name}=${encoded(String(value))}`);
  }
  if (temper !== 'valid' && random.chance(0.1)) pairs.push(random.pick(ODD_PARAMETERS));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

const ODD_PARAMETERS = [
  '__proto__=1',
  'constructor=1',
  'page=1&page=2',
  'limit',
  '&&&',
  'a[b]=c',
  '%ff=%fe',
  'limit=%00',
];

function bodyOf(
  operation: Operation,
  temper: Temper,
  around: Surroundings,
): { body: string | Buffer | undefined; contentType: string | undefined } {
  const { random } = around;
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (temper === 'hostile' && operation.method !== 'GET' && random.chance(0.25)) return hostileBody(random);
  if (schema === undefined) return { body: undefined, contentType: undefined };
  const good = validValue(schema, around);
  const value = temper === 'valid' ? good : spoilt(good, random, temper === 'hostile');
  return { body: JSON.stringify(value), contentType: 'application/json' };
}

/** Lone surrogates have no UTF-8: they are sent as nobody should, byte by byte. */
function encoded(text: string): string {
  return encodeURIComponent(
    text.replaceAll(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd'),
  );
}

/** A line to paste that asks the same again. */
export function asCurl(url: string, request: FuzzRequest, headers: Readonly<Record<string, string>>): string {
  const all = { ...headers, ...request.headers };
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const body =
    request.body === undefined ? '' : ` --data-binary ${quoted(String(request.body).slice(0, 3_000))}`;
  const given = Object.entries(all).map(([name, value]) => ` -H ${quoted(`${name}: ${value}`)}`);
  return `curl -X ${request.method} ${quoted(`${url}/api/v1${request.path}`)}${given.join('')}${body}`;
}

export function pickOperation(operations: readonly Operation[], random: Random): Operation {
  // Sending and templates take the most complicated bodies there are.
  const favoured = operations.filter(({ path }) => /^\/(emails\/(send|batch)|templates)/.test(path));
  return random.pick(favoured.length > 0 && random.chance(0.35) ? favoured : operations);
}
