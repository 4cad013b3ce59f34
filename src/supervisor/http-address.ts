/** The addresses on which the roles will listen. They must be free. */

import { lookup } from 'node:dns/promises';
import { type AddressInfo, createServer, isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../runtime/config.ts';
import { ABSENT_ADDRESS, localAddress, withoutIpv6 } from '../runtime/host-name.ts';

/** The API of a previous run that was just killed holds its port for a moment. */
const FREE_WITHIN_MS = 2_000;
const POLL_MS = 50;

/** The variables that set an address, to name in errors. */
interface Named {
  readonly host: string;
  readonly port: string;
}

const HTTP: Named = { host: 'POSTRIDER_HOST', port: 'POSTRIDER_PORT' };
const SUBMISSION: Named = { host: 'POSTRIDER_SUBMISSION_HOST', port: 'POSTRIDER_SUBMISSION_PORT' };
const SUBMISSION_TLS: Named = { ...SUBMISSION, port: 'POSTRIDER_SUBMISSION_TLS_PORT' };
const INBOUND: Named = { host: 'POSTRIDER_INBOUND_HOST', port: 'POSTRIDER_INBOUND_PORT' };

export async function ensureFree(host: string, port: number, named: Named = HTTP): Promise<void> {
  // The roles and the user need a fixed port.
  if (port === 0)
    throw new Error(`${named.port} must be from 1 to 65535 here: any port (0) could not be found.`);
  const code = await untilFree(host, port);
  if (code !== undefined) throw new Error(explain(code, host, port, named));
}

/** The port for bounces. In the sandbox only the simulator uses it, so any port will do if none was set. */
export async function inboundPort({ mode, inbound }: Pick<Config, 'mode' | 'inbound'>): Promise<number> {
  const { host, port, isPortGiven } = inbound;
  if (isPortGiven || mode === 'live') {
    await ensureFree(host, port, INBOUND);
    return port;
  }
  return (await tryToListen(host, port)) === undefined ? port : anyFree(host);
}

/** The ports for SMTP submission; undefined when there are none. */
export interface SubmissionPorts {
  readonly port: number;
  readonly tlsPort: number | undefined;
}

/**
 * In the sandbox any port will do if none was set. In live mode, clients expect 587 and 465; when these are
 * unavailable and were not set explicitly, the installation starts without them, and `problem` says why.
 */
export async function submissionPorts({
  mode,
  submission,
}: Pick<Config, 'mode' | 'submission'>): Promise<SubmissionPorts | { readonly problem: string }> {
  const { host, port, tlsPort, isPortGiven } = submission;
  if (!isPortGiven && mode === 'sandbox') {
    const isFree = (await tryToListen(host, port)) === undefined;
    return { port: isFree ? port : await anyFree(host), tlsPort };
  }
  try {
    await ensureFree(host, port, SUBMISSION);
    if (tlsPort !== undefined) await ensureFree(host, tlsPort, SUBMISSION_TLS);
    return { port, tlsPort };
  } catch (error) {
    if (isPortGiven) throw error;
    return { problem: (error as Error).message };
  }
}

/** Undefined when the port is free, or else why it is unavailable. */
async function untilFree(host: string, port: number): Promise<string | undefined> {
  const deadline = performance.now() + FREE_WITHIN_MS;
  for (;;) {
    const code = await tryToListen(host, port);
    if (code !== 'EADDRINUSE' || performance.now() > deadline) return code;
    await delay(POLL_MS);
  }
}

function anyFree(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, host, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** The address under which this machine reaches a server that listens on `host`. */
export function localUrl(host: string, port: number): string {
  const address = localAddress(host);
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

async function tryToListen(host: string, port: number): Promise<string | undefined> {
  // A name that cannot be resolved fails later, when a role listens on it.
  const addresses = await addressesOf(host).catch(() => [host]);
  return whyNotAll(await Promise.all(addresses.map((address) => tryBothFamilies(address, port))));
}

async function tryBothFamilies(host: string, port: number): Promise<string | undefined> {
  const code = await tryAddress(host, port);
  const instead = withoutIpv6(host, code);
  return instead === undefined ? code : tryAddress(instead, port);
}

function tryAddress(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

function explain(code: string, host: string, port: number, named: Named): string {
  if (code === 'EADDRINUSE') {
    return (
      `Port ${port} on ${host} is taken by another program (or another Postrider). ` +
      `Set ${named.port} to a free port, for example: ${named.port}=${port + 1} npx postrider start`
    );
  }
  if (code === 'EACCES') {
    return `This user may not listen on port ${port}. Set ${named.port} to one above 1023.`;
  }
  return `Cannot listen on ${host} port ${port} (${code}). Set ${named.host} to an address of this machine.`;
}

export type AddressesOf = (host: string) => Promise<readonly string[]>;

/** Resolves a listen name to its addresses: `localhost` is 127.0.0.1 and, where there is IPv6, ::1. */
export const addressesOf: AddressesOf = async (host) => {
  if (isIP(host) !== 0) return [host];
  const found = await lookup(host, { all: true });
  return [...new Set(found.map(({ address }) => address))];
};

/** Why the addresses are unavailable. A missing address is no reason while another one works. */
export function whyNotAll(codes: readonly (string | undefined)[]): string | undefined {
  const problems = codes.filter((code) => code !== undefined);
  const grave = problems.find((code) => !ABSENT_ADDRESS.includes(code));
  return grave ?? (problems.length === codes.length ? problems[0] : undefined);
}
