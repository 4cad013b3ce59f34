/**
 * The submission process: `node dist/processes/submission.js`, with DATABASE_URL. Any number may run in
 * parallel.
 */
import { startTracing } from './role.ts';
import { runSmtpRole } from './smtp-role.ts';
import { SubmissionServer } from './submission-server.ts';

await runSmtpRole({
  name: 'submission',
  says: 'taking mail over SMTP',
  create: (deps) => new SubmissionServer(deps),
  trace: startTracing,
  listensAt: ({ submission: { host, port, tlsPort } }, failed = port) => ({
    host,
    port: failed,
    setting: failed === tlsPort ? 'POSTRIDER_SUBMISSION_TLS_PORT' : 'POSTRIDER_SUBMISSION_PORT',
  }),
});
