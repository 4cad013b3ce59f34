/**
 * Inbound and submission in one process, which takes less memory than two: `node dist/processes/smtp.js`, with
 * DATABASE_URL. Any number may run in parallel.
 */
import { inboundPlan } from './inbound-plan.ts';
import { runSmtpRole } from './smtp-role.ts';
import { submissionPlan } from './submission-plan.ts';

await runSmtpRole('smtp', ({ submission }) =>
  submission.isOn ? [inboundPlan, submissionPlan] : [inboundPlan],
);
