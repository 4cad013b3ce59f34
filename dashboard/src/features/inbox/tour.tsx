/** One click from nothing to a delivered message: send, watch it go, open it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { quickPollMs } from '../../app/freshness.ts';
import { useCan } from '../../app/session.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Empty } from '../../ui/page.tsx';
import { emailQuery } from '../emails/queries.ts';
import { useFirstMessage } from '../first-steps/first-message.ts';

export function Tour() {
  const can = useCan();
  const { send, domain, isKnown } = useFirstMessage();
  return (
    <Empty icon="inbox" title="Nothing has arrived yet">
      <p>
        In sandbox mode mail goes to a server inside Postrider and never leaves, so you can try everything
        before you set up DNS. Send yourself a first message and see all of it: content, source, headers,
        signature.
      </p>
      {send.data ? <Progress id={send.data.message_id} /> : null}
      {!send.data && can.change && domain ? (
        <Button kind="primary" icon="arrow" busy={send.isPending} onClick={() => send.mutate()}>
          Send me a first message
        </Button>
      ) : null}
      {!domain && isKnown ? (
        <p>
          Add a <Link to="/domains">domain</Link> first: in the sandbox any name verifies at once.
        </p>
      ) : null}
      <ErrorNote error={send.error} />
    </Empty>
  );
}

function Progress({ id }: { readonly id: string }) {
  const email = useQuery({ ...emailQuery(id), refetchInterval: quickPollMs });
  return (
    <p role="status">
      <Status value={email.data?.status ?? 'queued'} />{' '}
      <Link to="/emails/$id" params={{ id }}>
        Follow the message
      </Link>
    </p>
  );
}
