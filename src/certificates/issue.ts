/**
 * One attempt to get a certificate for one name: order, challenge, finalize, download. The order and its key
 * are stored first, so that the next attempt can continue after a killed process.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { AcmeClient } from './acme-client.ts';
import { AcmeError, UnusableCertificate } from './acme-error.ts';
import type { Challenge, Order } from './acme-messages.ts';
import { certificateRequest, keyPem, newKey } from './x509.ts';

export type ChallengeType = 'http-01' | 'tls-alpn-01';

interface IssueOptions {
  readonly client: AcmeClient;
  readonly name: string;
  readonly challengeType: ChallengeType;
  /** The order of an interrupted attempt, to which `keyPem` belongs. */
  readonly begun: StartedOrder | null;
  readonly saveOrder: (order: StartedOrder) => Promise<void>;
  /** Resolves when every process can answer the challenge. */
  readonly publish: (token: string) => Promise<void>;
}

export interface StartedOrder {
  readonly url: string;
  readonly keyPem: string;
}

export interface Issued {
  readonly chain: string;
  readonly keyPem: string;
  readonly validFromMs: number;
  readonly validToMs: number;
}

export async function issue(options: IssueOptions): Promise<Issued> {
  const { order, key } = await orderAndKey(options);
  const { client, name } = options;
  if (order.status === 'pending') for (const url of order.authorizations) await prove(url, options);
  const ready = await client.untilProcessed(order.url, ['pending']);
  if (ready.status === 'ready') await client.finalize(ready, certificateRequest(name, key));
  const done = await client.untilProcessed(order.url, ['ready', 'processing']);
  if (done.status !== 'valid' || done.certificate === undefined) throw failedOrder(done);
  return checked(await client.certificate(done.certificate), name, key);
}

async function orderAndKey(options: IssueOptions): Promise<{ order: Order; key: KeyObject }> {
  const found = await continued(options);
  if (found !== null) return found;
  const key = newKey();
  const order = await options.client.newOrder(options.name);
  await options.saveOrder({ url: order.url, keyPem: keyPem(key) });
  return { order, key };
}

/** Null when the order has expired, failed or is unknown to the server. */
async function continued({ client, begun }: IssueOptions): Promise<{ order: Order; key: KeyObject } | null> {
  if (begun === null) return null;
  try {
    const order = await client.order(begun.url);
    return order.status === 'invalid' ? null : { order, key: createPrivateKey(begun.keyPem) };
  } catch (error) {
    const { status = 0, type } = error instanceof AcmeError ? error : { status: 0 };
    if (status >= 400 && status < 500 && type !== 'rateLimited') return null;
    throw error;
  }
}

async function prove(url: string, { client, challengeType, publish }: IssueOptions): Promise<void> {
  const { status, challenges } = await client.authorization(url);
  if (status === 'valid') return;
  const challenge = challenges.find(({ type }) => type === challengeType);
  if (challenge === undefined)
    throw new AcmeError(`The ACME server does not offer the challenge ${challengeType}.`);
  await publish(challenge.token);
  await client.challengeReady(challenge.url);
  const proved = await client.untilValidated(url);
  if (proved.status !== 'valid') throw failedChallenge(proved.challenges, challengeType);
}

function failedChallenge(challenges: readonly Challenge[], type: ChallengeType): AcmeError {
  const why = challenges.find((one) => one.problem !== undefined)?.problem ?? 'no reason was given';
  return new AcmeError(`The challenge ${type} failed: ${why}`);
}

function failedOrder({ status, problem }: Order): AcmeError {
  return new AcmeError(`The order is ${status}${problem === undefined ? '' : `: ${problem}`}.`);
}

/** Accepts a downloaded certificate only if it matches the name and the key. */
function checked(chain: string, name: string, key: KeyObject): Issued {
  const leaf = leafOf(chain);
  if (!leaf.checkPrivateKey(key))
    throw new UnusableCertificate('The ACME server issued a certificate for another key.');
  if (leaf.checkHost(name) === undefined)
    throw new UnusableCertificate(`The ACME server issued a certificate that is not for ${name}.`);
  const [validFromMs, validToMs] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)];
  return { chain, keyPem: keyPem(key), validFromMs, validToMs };
}

function leafOf(chain: string): X509Certificate {
  try {
    return new X509Certificate(chain);
  } catch {
    throw new UnusableCertificate('The ACME server sent no certificate.');
  }
}
