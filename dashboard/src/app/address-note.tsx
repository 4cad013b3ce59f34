/** On every page of somebody whose address was never confirmed. */
import { useMutation } from '@tanstack/react-query';
import { Button } from '../ui/button.tsx';
import { messageOf } from '../ui/error-note.tsx';
import { useToast } from '../ui/toast.tsx';
import { api } from './api.ts';
import { useMe } from './session.ts';

export function AddressNote() {
  const { user } = useMe();
  const say = useToast();
  const ask = useMutation({
    mutationFn: () => api.auth.requestAddressConfirmation(),
    onSuccess: ({ mailed }) =>
      mailed
        ? say(`We sent a link to ${user.email}.`)
        : say('This installation cannot send mail yet: it has no verified domain.', 'bad'),
    onError: (error) => say(messageOf(error), 'bad'),
  });
  if (user.email_verified) return null;
  return (
    <div className="note warn row" role="note">
      <span className="grow">
        Confirm that {user.email} is yours. Until then, resetting your password also removes your second
        factor, your API keys and your invites.
      </span>
      <Button size="small" busy={ask.isPending} onClick={() => ask.mutate()}>
        Email me a link
      </Button>
    </div>
  );
}
