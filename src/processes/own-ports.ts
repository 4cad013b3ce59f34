/** The ports that this installation itself listens on, which no tenant's webhook may use. */
import type { Config } from '../runtime/config.ts';
import { databasePlaces } from '../runtime/database-url.ts';

/** As far as the settings tell; the receiver of the sandbox finds its own and is added by the worker that runs it. */
export function ownPorts(config: Config): Set<number> {
  const { port, https, metrics, inbound, submission } = config;
  const ports = [
    port,
    https.port,
    https.challengePort,
    metrics.port,
    inbound.port,
    ...(submission.isOn ? [submission.port, submission.tlsPort] : []),
    ...databasePorts(config),
  ];
  return new Set(ports.filter((one): one is number => one !== undefined && one !== 0));
}

/** In the roles that is the embedded one, too: the supervisor gives them its address. */
export function databasePorts({
  databaseUrl,
  databaseReadUrl,
  databaseDirectUrl,
  databasePort,
}: Config): number[] {
  const urls = [databaseUrl, databaseReadUrl, databaseDirectUrl].filter((url) => url !== undefined);
  if (urls.length > 0) return urls.flatMap(databasePlaces).map(({ port }) => port);
  return databasePort === undefined ? [] : [databasePort];
}
