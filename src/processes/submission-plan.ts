import { startTracing } from './role.ts';
import type { SmtpServerPlan } from './smtp-role.ts';
import { SubmissionServer } from './submission-server.ts';

export const submissionPlan: SmtpServerPlan = {
  name: 'submission',
  says: 'taking mail over SMTP',
  create: (deps) => new SubmissionServer(deps),
  trace: startTracing,
  listensAt: ({ submission: { host, port, tlsPort } }, failed = port) => ({
    host,
    port: failed,
    setting: failed === tlsPort ? 'POSTRIDER_SUBMISSION_TLS_PORT' : 'POSTRIDER_SUBMISSION_PORT',
  }),
};
