/** What recipients can do in the sandbox, with the addresses of this installation. */
import { RecipientActions } from '../sandbox/recipient-actions.ts';
import { type MailBackDeps, sendBackAll } from './mail-back.ts';

export function createRecipientActions(deps: MailBackDeps): RecipientActions {
  const { config, clock } = deps;
  return new RecipientActions({
    publicUrl: config.publicUrl,
    clock,
    sendBack: (mail) => sendBackAll([mail], deps),
  });
}
