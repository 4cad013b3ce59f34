/** Accepts every submission in the cell of its organization. */
import type { Database } from '../database/database.ts';
import { INSTALLATION } from '../organizations/installation.ts';
import type { EmailAcceptor, Submission } from './email-acceptor.ts';

interface CellAcceptorOptions {
  readonly db: Pick<Database, 'located'>;
  /** Refuses a key that no longer works. */
  readonly checkKey: (keyId: string) => Promise<void> | void;
  readonly acceptorOf: (organizationId: string) => EmailAcceptor;
}

export function createCellAcceptor({ db, checkKey, acceptorOf }: CellAcceptorOptions): EmailAcceptor {
  return {
    accept: async (submission) => {
      await db.located();
      const keyId = submission.emails[0]?.keyId ?? null;
      if (keyId !== null) await checkKey(keyId);
      return acceptorOf(organizationOf(submission)).accept(submission);
    },
    rememberEmpty: async (batch) => {
      await db.located();
      return acceptorOf(batch.organizationId).rememberEmpty(batch);
    },
  };
}

/** All emails of a submission belong to one organization. */
function organizationOf({ emails, completion }: Submission): string {
  return emails[0]?.organizationId ?? completion?.key.organizationId ?? INSTALLATION;
}
