/**
 * The inbound process: `node dist/processes/inbound.js`, with DATABASE_URL. Any number may run in parallel.
 */
import { inboundPlan } from './inbound-plan.ts';
import { runSmtpRole } from './smtp-role.ts';

await runSmtpRole('inbound', () => [inboundPlan]);
