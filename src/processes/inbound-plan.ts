import { InboundServer } from './inbound-server.ts';
import type { SmtpServerPlan } from './smtp-role.ts';

export const inboundPlan: SmtpServerPlan = {
  name: 'inbound',
  says: 'taking bounces and complaints',
  create: (deps) => new InboundServer(deps),
  listensAt: ({ inbound: { host, port } }) => ({ host, port, setting: 'POSTRIDER_INBOUND_PORT' }),
};
