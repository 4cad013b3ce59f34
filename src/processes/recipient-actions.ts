/** What recipients can do in the sandbox, with the addresses of this installation. */
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
