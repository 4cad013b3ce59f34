/** Assembles recipient actions in the sandbox, with the installation's addresses. */
import { RecipientActions } from '../sandbox/recipient-actions.ts';
import { type ReturnMailDeps, sendReturnMail } from './return-mail.ts';

export function createRecipientActions(deps: ReturnMailDeps): RecipientActions {
  const { config, clock } = deps;
  return new RecipientActions({
    publicUrl: config.publicUrl,
    clock,
    sendBack: (mail) => sendReturnMail([mail], deps),
  });
}
