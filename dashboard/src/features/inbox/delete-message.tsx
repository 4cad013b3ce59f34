import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { IconButton } from '../../ui/button.tsx';
import { messageOf } from '../../ui/error-note.tsx';
import { useToast } from '../../ui/toast.tsx';

interface Props {
  readonly id: string;
  readonly subject: string;
  readonly onDeleted?: () => void;
}

/** It asks nobody: it is a copy, and the email and its events stay. */
export function DeleteMessage({ id, subject, onDeleted }: Props) {
  const client = useQueryClient();
  const say = useToast();
  const remove = useMutation({
    mutationFn: () => api.sandbox.delete(id),
    onSuccess: async () => {
      say('Deleted.');
      onDeleted?.();
      await client.invalidateQueries({ queryKey: ['inbox', 'list'] });
    },
    onError: (error) => say(messageOf(error), 'bad'),
  });
  return (
    <IconButton
      icon="trash"
      label={`Delete ${subject === '' ? 'the message' : subject}`}
      disabled={remove.isPending}
      onClick={() => remove.mutate()}
    />
  );
}
