/** Everything that accepts connections: its port, and a socket bound to it for the role that listens. */
import net, { isIP } from 'node:net';
import { getSystemErrorName } from 'node:util';
import type { Config } from '../runtime/config.ts';
import { withoutIpv6 } from '../runtime/host-name.ts';
import type { ListenPlace } from '../runtime/inherited-sockets.ts';
import {
  type AddressesOf,
  addressesOf,
  ensureFree,
  inboundPort,
  type SubmissionPorts,
  submissionPorts,
  whyNotAll,
} from './http-address.ts';

export interface OpenPorts {
  readonly inbound: number;
  /** Undefined without SMTP submission. */
  readonly submission: SubmissionPorts | undefined;
  readonly socketsOf: (role: string) => Promise<BoundSocket[]>;
}

interface OpenPortsOptions {
  readonly config: Config;
  /** The roles that run. */
  readonly roles: Readonly<Record<string, string>>;
  readonly say: (line: string) => void;
}

export async function openPorts(options: OpenPortsOptions, sockets: BoundSockets): Promise<OpenPorts> {
  const { config } = options;
  const { host, port, https } = config;
  if (!sockets.isGiven(port)) await ensureFree(host, port);
  for (const [one, name] of httpsPorts(https))
    if (!sockets.isGiven(one))
      await ensureFree(https.host, one, { host: 'POSTRIDER_HTTPS_HOST', port: name });
  const [submission, inbound] = await Promise.all([
    chooseSubmission(options, sockets),
    chooseInbound(options, sockets),
  ]);
  const ports = { inbound, submission };
  return { ...ports, socketsOf: (role) => bindAll(sockets, placesOf(role, config, ports)) };
}

/** The ports with the names of their settings. */
function httpsPorts({ port, challengePort }: Config['https']): (readonly [number, string])[] {
  return [
    ...(port === undefined ? [] : [[port, 'POSTRIDER_HTTPS_PORT'] as const]),
    ...(challengePort === undefined ? [] : [[challengePort, 'POSTRIDER_ACME_HTTP_PORT'] as const]),
  ];
}

async function chooseInbound(
  { config, roles, say }: OpenPortsOptions,
  sockets: BoundSockets,
): Promise<number> {
  const wanted = config.inbound.port;
  if ((roles.inbound ?? roles.smtp) === undefined || sockets.isGiven(wanted)) return wanted;
  const port = await inboundPort(config);
  if (port !== wanted) say(`Port ${wanted} is taken; bounces come back to port ${port} instead.`);
  return port;
}

async function chooseSubmission(
  { config, roles, say }: OpenPortsOptions,
  sockets: BoundSockets,
): Promise<SubmissionPorts | undefined> {
  const { isOn, port, tlsPort } = config.submission;
  if ((roles.submission ?? roles.smtp) === undefined || !isOn) return undefined;
  if (sockets.isGiven(port)) return { port, tlsPort };
  const found = await submissionPorts(config);
  if ('port' in found) return found;
  say(`Mail cannot be submitted over SMTP. ${found.problem}`);
  return undefined;
}

function placesOf(
  role: string,
  { host, port, ...config }: Config,
  ports: Omit<OpenPorts, 'socketsOf'>,
): ListenPlace[] {
  const inbound = { host: config.inbound.host, port: ports.inbound };
  const submission = [ports.submission?.port, ports.submission?.tlsPort]
    .filter((one) => one !== undefined)
    .map((one) => ({ host: config.submission.host, port: one }));
  switch (role) {
    case 'api':
      return [
        { host, port },
        ...httpsPorts(config.https).map(([one]) => ({ host: config.https.host, port: one })),
      ];
    case 'inbound':
      return [inbound];
    case 'submission':
      return submission;
    case 'smtp':
      return [inbound, ...submission];
    default:
      return [];
  }
}

async function bindAll(sockets: BoundSockets, places: readonly ListenPlace[]): Promise<BoundSocket[]> {
  return (await Promise.all(places.map((place) => sockets.bind(place)))).flat();
}

export interface BoundSocket {
  readonly place: ListenPlace;
  readonly fd: number;
}

interface Handle {
  /** Undefined on Windows. */
  readonly fd?: number;
  close(): void;
  /** Returns 0 or an error code, also of the earlier bind. */
  getsockname(into: { port?: number }): number;
}

type Bind = (
  address: string | null,
  port: number | null,
  family: 4 | 6 | -1,
  fd: number,
  flags: number,
) => Handle | number;

/**
 * The function that Node's own `cluster` uses. A server would also listen, and take connections away from the
 * roles.
 */
const { _createServerHandle: bind } = net as unknown as { readonly _createServerHandle: Bind };

/** The first file descriptor that systemd passes. */
const FIRST_GIVEN = 3;

/**
 * The sockets on which the roles listen. The supervisor binds and keeps them; roles receive them at their
 * start. During a replacement both processes have the socket, so no connection is refused; after a crash,
 * connections wait for the next process.
 *
 * A service manager may have bound the sockets before (systemd's socket units). Then the supervisor itself
 * can be restarted without refusing connections.
 */
export class BoundSockets {
  readonly #held: Handle[] = [];
  /** By port; a service manager may have bound one port on several addresses. */
  readonly #given = new Map<number, Handle[]>();
  readonly #addressesOf: AddressesOf;

  constructor(env: NodeJS.ProcessEnv, pid: number = process.pid, ofName: AddressesOf = addressesOf) {
    this.#addressesOf = ofName;
    if (env.LISTEN_PID !== String(pid)) return;
    for (let i = 0; i < Number(env.LISTEN_FDS); i += 1) {
      const handle = bind(null, null, -1, FIRST_GIVEN + i, 0);
      const { port } = typeof handle === 'number' ? {} : addressOf(handle);
      if (typeof handle !== 'number' && port !== undefined)
        this.#given.set(port, [...(this.#given.get(port) ?? []), handle]);
    }
  }

  isGiven(port: number): boolean {
    return this.#given.has(port);
  }

  /** Ports bound for us on which no role listens. Connections to them would hang. */
  get unused(): number[] {
    return [...this.#given]
      .filter(([, handles]) => !handles.some((one) => this.#held.includes(one)))
      .map(([port]) => port);
  }

  /**
   * One socket per address of the place. Empty when sockets cannot be passed on: the role then binds its own.
   * Throws when an address is unavailable.
   */
  async bind(place: ListenPlace): Promise<BoundSocket[]> {
    const handles = this.#given.get(place.port) ?? bound(await this.#addressesOf(place.host), place.port);
    const sockets = handles.flatMap(({ fd = -1 }) => (fd < 0 ? [] : { place, fd }));
    if (sockets.length === handles.length) this.#held.push(...handles);
    else for (const handle of handles) handle.close();
    return sockets;
  }

  /** Closes the supervisor's copies; the roles keep theirs. */
  close(): void {
    for (const handle of this.#held.splice(0)) handle.close();
  }
}

function bound(addresses: readonly string[], port: number): Handle[] {
  const tried = addresses.map((address) => tryBothFamilies(address, port));
  const handles = tried.filter((one) => typeof one !== 'string');
  const problem = whyNotAll(tried.map((one) => (typeof one === 'string' ? one : undefined)));
  if (problem === undefined) return handles;
  for (const handle of handles) handle.close();
  throw failure(problem);
}

function tryBothFamilies(address: string, port: number): Handle | string {
  const tried = tryToBind(address, port);
  const instead = typeof tried === 'string' ? withoutIpv6(address, tried) : undefined;
  return instead === undefined ? tried : tryToBind(instead, port);
}

/** Returns the handle, or the error code. */
function tryToBind(address: string, port: number): Handle | string {
  const handle = bind(address, port, isIP(address) === 6 ? 6 : 4, -1, 0);
  if (typeof handle === 'number') return getSystemErrorName(handle);
  // An address in use is reported only here.
  const error = handle.getsockname({});
  if (error === 0) return handle;
  handle.close();
  return getSystemErrorName(error);
}

function addressOf(handle: Handle): { port?: number } {
  const into = {};
  const error = handle.getsockname(into);
  if (error === 0) return into;
  handle.close();
  throw failure(getSystemErrorName(error));
}

function failure(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}
