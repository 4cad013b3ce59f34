/** In the sandbox nobody reports about a domain; a click makes a week of reports arrive. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { useCan, useMode } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { useToast } from '../../ui/toast.tsx';

export interface SampleProps {
  readonly id: string;
  readonly isVerified: boolean;
}

/** What came by mail is read within a second or so. */
const LOOK_AGAIN_MS = [500, 1_500, 4_000];

export function SampleReports({ id, isVerified }: SampleProps) {
  const can = useCan();
  const isSandbox = useMode() === 'sandbox';
  const client = useQueryClient();
  const say = useToast();
  const send = useMutation({
    mutationFn: () => api.sandbox.sampleReports(id),
    onSuccess: ({ sent }) => {
      say(`${sent} sample reports are on their way.`);
      for (const ms of LOOK_AGAIN_MS)
        setTimeout(() => client.invalidateQueries({ queryKey: ['domains', id, 'reports'] }), ms);
    },
  });
  if (!isSandbox || !can.change || !isVerified) return null;
  return (
    <>
      <Button size="small" busy={send.isPending} onClick={() => send.mutate()}>
        Send sample reports
      </Button>
      <ErrorNote error={send.error} />
    </>
  );
}
