import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../app/api.ts';
import { quickPollMs } from '../../app/freshness.ts';
import { useCan, useMe, useMode } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { useFirstMessage } from './first-message.ts';

export function FirstMessageStep() {
  const can = useCan();
  const sandbox = useMode() === 'sandbox';
  const { send, domain } = useFirstMessage();
  if (!sandbox)
    return (
      <p>
        Once a domain of yours is verified, <Link to="/compose">write one here</Link>, or send it from your
        code below.
      </p>
    );
  return (
    <div className="stack-small">
      <p>The message goes through the real queue and the real SMTP client, and ends in your sandbox inbox.</p>
      <div className="row">
        {send.data ? <Arrival id={send.data.message_id} /> : null}
        {!send.data && can.change && domain ? (
          <Button kind="primary" icon="arrow" busy={send.isPending} onClick={() => send.mutate()}>
            Send me a first message
          </Button>
        ) : null}
      </div>
      <ErrorNote error={send.error} />
    </div>
  );
}

/** Until it is in the inbox; then the way there. */
function Arrival({ id }: { readonly id: string }) {
  const { user } = useMe();
  const arrived = useQuery({
    queryKey: ['inbox', 'first', id],
    queryFn: async () => {
      const { data } = await api.sandbox.list({ to: user.email, limit: 5 });
      return data.find(({ email_id }) => email_id === id) ?? null;
    },
    refetchInterval: (query) => (query.state.data ? false : quickPollMs(query)),
  });
  if (!arrived.data) return <p role="status">On its way…</p>;
  return (
    <>
      <p role="status">The message has arrived.</p>
      <Link to="/inbox/$id" params={{ id: arrived.data.id }} className="button primary">
        Read the message
      </Link>
    </>
  );
}
