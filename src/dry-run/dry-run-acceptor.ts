/**
 * Replaces the acceptor of emails in a dry run: queries the gates and keeps the emails for the forecast, but
 * stores none. So all other decisions of submission apply unchanged.
 */
import type { NewEmail } from '../emails/email.ts';
import type { AcceptResult, EmailAcceptor, Submission } from '../submission/email-acceptor.ts';
import { type WouldRefuseDeps, wouldRefuse } from '../submission/would-refuse.ts';

export interface DryRunEmail {
  readonly email: NewEmail;
  readonly result: AcceptResult;
}

export class DryRunAcceptor implements EmailAcceptor {
  readonly #deps: WouldRefuseDeps;
  #emails: readonly DryRunEmail[] = [];

  constructor(deps: WouldRefuseDeps) {
    this.#deps = deps;
  }

  /** The submitted emails, in order. */
  get emails(): readonly DryRunEmail[] {
    return this.#emails;
  }

  async accept({ emails, allOrNone = false }: Submission): Promise<readonly AcceptResult[]> {
    const refusals = await wouldRefuse(this.#deps, emails);
    const own = refusals.map((refused): AcceptResult => refused ?? { kind: 'accepted' });
    this.#emails = emails.map((email, index) => ({ email, result: own[index] as AcceptResult }));
    const found = refusals.flatMap((refused, draft) => (refused === null ? [] : [{ draft, refused }]));
    return allOrNone && found.length > 0 ? own.map(() => ({ kind: 'some_refused', refusals: found })) : own;
  }

  async rememberEmpty(): Promise<void> {}
}
