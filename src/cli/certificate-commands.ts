/** Lists ACME certificates for an operator, and why one is missing. */
import { type CertificateState, listCertificates } from '../certificates/store.ts';
import type { Database } from '../database/database.ts';
import type { Command, CommandAnswer } from './command.ts';
import { withDatabase } from './installation.ts';
import { minute, table } from './table.ts';

export const certificatesCommand: Command = {
  name: 'certificates',
  summary:
    'List the certificates that were ordered by ACME, when they expire, and why the last attempt failed',
  example: 'certificates',
  run: ({ config }) => withDatabase(config, listAll),
};

async function listAll(db: Database): Promise<CommandAnswer> {
  const certificates = await listCertificates(db);
  const head = ['NAME', 'EXPIRES (UTC)', 'NEXT ATTEMPT (UTC)', 'FAILURES', 'LAST ERROR'];
  const rows = certificates.map(row);
  const lines = rows.length === 0 ? ['No certificate was ordered by ACME.'] : table(head, rows);
  return { json: certificates, lines };
}

function row({ name, expires_at, due_at, failures, last_error }: CertificateState): string[] {
  return [name, minute(expires_at), minute(due_at), String(failures), last_error ?? ''];
}
