/** The ports on which this installation listens, which tenants' webhooks must not use. */
import type { Config } from '../runtime/config.ts';
import { databasePlaces } from '../runtime/database-url.ts';

/** From the settings alone; the worker adds the port of its sandbox receiver. */
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

/** In the roles this includes the embedded database, whose address the supervisor sets. */
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
