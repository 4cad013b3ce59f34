import type { EmailItem } from '@postrider/sdk';
import { Status } from '../../ui/badge.tsx';

type Shown = Pick<EmailItem, 'state' | 'recipient_count' | 'delivered_count'>;

/** The state, and how many recipients have the email if only some of them do. */
export function EmailState({ email }: { readonly email: Shown }) {
  const { state, recipient_count: all, delivered_count: delivered } = email;
  return (
    <>
      <Status value={state} />
      {delivered > 0 && delivered < all ? (
        <>
          {' '}
          <span className="quiet small">
            {delivered} of {all} delivered
          </span>
        </>
      ) : null}
    </>
  );
}
