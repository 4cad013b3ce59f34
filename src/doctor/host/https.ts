/**
 * What clients get at the public address: whether it answers, its certificate, and whether it is this
 * installation.
 */
import { request } from 'node:https';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { describeDnsFailure } from '../../domains/advice.ts';
import type { Resolver } from '../../protocols/dns/resolver.ts';
import { certificateProblem } from '../../protocols/smtp/certificate.ts';
import { publicUrlFault } from '../../runtime/public-url.ts';
import { doctorCheck } from '../doctor-check.ts';
import { DOCTOR_LOOKUP, type DoctorContext } from '../doctor-context.ts';
import { CheckInconclusive, type Observation } from '../finding.ts';
import type { Outside } from '../reference-servers.ts';
import { judgeExpiry } from './certificate.ts';
import { needsLookup } from './public-url.ts';

interface HttpsFacts {
  readonly url: string;
  readonly status: number;
  /** The proxy forwards another host name than the requested one. */
  readonly isHostRefused: boolean;
  readonly certificateProblem: string | null;
  readonly leftMs: number;
}

const PATH = '/api/v1/auth/state';
const MAX_BODY = 65_536;

export const httpsCheck = doctorCheck({
  name: 'https',
  needsDns: ({ publicUrl }) => needsLookup(publicUrl),
  matters: 'Links in mail and the dashboard do not work.',
  gather: gatherHttps,
  judge: judgeHttps,
});

async function gatherHttps({ config, clock, resolver, outside }: DoctorContext): Promise<HttpsFacts> {
  const fault = publicUrlFault(config.publicUrl);
  if (fault !== null) throw new CheckInconclusive(fault);
  const url = new URL(config.publicUrl);
  const address = await addressOf(resolver, url.hostname);
  const { status, body, problem, validTo } = await get(url, address, outside);
  return {
    url: config.publicUrl,
    status,
    isHostRefused: body.includes('HOST_NOT_ALLOWED'),
    certificateProblem: problem,
    leftMs: Date.parse(validTo) - clock.nowMs(),
  };
}

async function addressOf(resolver: Resolver, name: string): Promise<string> {
  const host = name.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0) return host;
  const answer = await resolver.addresses(host, DOCTOR_LOOKUP);
  if (answer.kind === 'unavailable') throw new CheckInconclusive(describeDnsFailure(host, answer.code));
  const address = answer.kind === 'found' ? answer.records[0] : undefined;
  if (address === undefined)
    throw new CheckInconclusive(
      `Not checked: ${host} has no address in DNS. See the finding \`public_url\`.`,
    );
  return address;
}

interface Got {
  readonly status: number;
  readonly body: string;
  readonly problem: string | null;
  readonly validTo: string;
}

/** Accepts any certificate, so that its problem is reported instead of a connection error. */
function get(url: URL, address: string, outside: Outside): Promise<Got> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) =>
      reject(
        new CheckInconclusive(
          `${url.origin} (${address}) cannot be reached from this machine: ${error.message}. Other machines may still reach it.`,
          `Try it from another machine: curl -I ${url.origin}${PATH}`,
        ),
      );
    const asking = request({
      host: address,
      port: url.port || 443,
      path: `${url.pathname.replace(/\/$/, '')}${PATH}`,
      headers: { host: url.host, 'user-agent': 'Postrider-doctor' },
      servername: isIP(url.hostname) === 0 ? url.hostname : '',
      rejectUnauthorized: false,
      agent: false,
      signal: AbortSignal.timeout(outside.timeoutMs),
      ...(outside.trustedCertificates === undefined ? {} : { ca: outside.trustedCertificates }),
    });
    asking.once('error', fail);
    asking.once('response', (response) => {
      const socket = response.socket as TLSSocket;
      const seen = { problem: certificateProblem(socket), validTo: socket.getPeerCertificate().valid_to };
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        body = (body + text).slice(0, MAX_BODY);
      });
      response.once('error', fail);
      response.once('end', () => resolve({ ...seen, status: response.statusCode ?? 0, body }));
    });
    asking.end();
  });
}

function judgeHttps({
  url,
  status,
  isHostRefused,
  certificateProblem: problem,
  leftMs,
}: HttpsFacts): Observation[] {
  const expiry = judgeExpiry(
    leftMs,
    `The certificate of ${url}`,
    'Renew the certificate in the proxy; Caddy and Traefik renew certificates automatically.',
  );
  const certificate: Observation =
    problem === null || expiry.level === 'bad'
      ? expiry
      : {
          level: 'bad',
          seen: `The certificate of ${url} is ${problem}.`,
          fix: 'Give the proxy a certificate for this name from a public authority, such as Let’s Encrypt.',
        };
  return [certificate, ...judgeAnswer(url, status, isHostRefused)];
}

function judgeAnswer(url: string, status: number, isHostRefused: boolean): Observation[] {
  if (isHostRefused) {
    const seen = `The proxy at ${url} sends requests to Postrider with another host name.`;
    const fix = 'Let the proxy pass the Host header on unchanged (nginx: proxy_set_header Host $host;).';
    return [{ level: 'bad', seen, why: 'Nobody can sign in.', fix }];
  }
  if (status >= 500) {
    const seen = `The proxy at ${url} answers with ${status}: it does not reach Postrider, or Postrider is not ready.`;
    return [
      {
        level: 'bad',
        seen,
        fix: 'Compare the address that the proxy forwards requests to with POSTRIDER_HOST and POSTRIDER_PORT; then: npx postrider status',
      },
    ];
  }
  return [];
}
