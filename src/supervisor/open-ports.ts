/** Everything that accepts connections: its port, and a socket bound to it for the role that listens. */
import type { Config } from '../runtime/config.ts';
import type { ListenPlace } from '../runtime/inherited-sockets.ts';
import type { BoundSocket, BoundSockets } from './bound-sockets.ts';
import { ensureFree, inboundPort, type SubmissionPorts, submissionPorts } from './http-address.ts';

export interface OpenPorts {
  readonly inbound: number;
  /** Undefined without SMTP submission. */
  readonly submission: SubmissionPorts | undefined;
  readonly socketsOf: (role: string) => Promise<BoundSocket[]>;
}

export interface OpenPortsOptions {
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
  if (roles.inbound === undefined || sockets.isGiven(wanted)) return wanted;
  const port = await inboundPort(config);
  if (port !== wanted) say(`Port ${wanted} is taken; bounces come back to port ${port} instead.`);
  return port;
}

async function chooseSubmission(
  { config, roles, say }: OpenPortsOptions,
  sockets: BoundSockets,
): Promise<SubmissionPorts | undefined> {
  const { isOn, port, tlsPort } = config.submission;
  if (roles.submission === undefined || !isOn) return undefined;
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
  const { submission } = ports;
  switch (role) {
    case 'api':
      return [
        { host, port },
        ...httpsPorts(config.https).map(([one]) => ({ host: config.https.host, port: one })),
      ];
    case 'inbound':
      return [{ host: config.inbound.host, port: ports.inbound }];
    case 'submission':
      return [submission?.port, submission?.tlsPort]
        .filter((one) => one !== undefined)
        .map((one) => ({ host: config.submission.host, port: one }));
    default:
      return [];
  }
}

async function bindAll(sockets: BoundSockets, places: readonly ListenPlace[]): Promise<BoundSocket[]> {
  return (await Promise.all(places.map((place) => sockets.bind(place)))).flat();
}
