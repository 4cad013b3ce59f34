/**
 * The inbound process: `node dist/processes/inbound.js`, with DATABASE_URL. Any number may run in parallel.
 */
import { InboundServer } from './inbound-server.ts';
import { runSmtpRole } from './smtp-role.ts';

await runSmtpRole({
  name: 'inbound',
  says: 'taking bounces and complaints',
  create: (deps) => new InboundServer(deps),
  listensAt: ({ inbound: { host, port } }) => ({ host, port, setting: 'POSTRIDER_INBOUND_PORT' }),
});
