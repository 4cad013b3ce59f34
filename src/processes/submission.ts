/**
 * The submission process: `node dist/processes/submission.js`, with DATABASE_URL. Any number may run in
 * parallel.
 */
import { runSmtpRole } from './smtp-role.ts';
import { submissionPlan } from './submission-plan.ts';

await runSmtpRole('submission', () => [submissionPlan]);
