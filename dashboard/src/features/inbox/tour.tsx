/** One click from nothing to a delivered message: send, watch it go, open it. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../app/api.ts';
import { useCan, useMe } from '../../app/session.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Empty } from '../../ui/page.tsx';
import { domainsQuery } from '../domains/queries.ts';
import { emailQuery } from '../emails/queries.ts';

const HTML = `<div style="font-family:Arial,sans-serif;max-width:520px;margin:0 auto;padding:24px;color:#1c1917">
<h1 style="font-size:22px">It works.</h1>
<p style="line-height:1.5">This message went through everything that a real one goes through: the API accepted and stored it,
the worker composed and signed it, and an SMTP server took it. Only that server was the one built into Postrider.</p>
<p style="line-height:1.5"><strong>Next:</strong> look at the headers and the signature above, then add a domain of your own.</p>
</div>`;

export function Tour() {
  const can = useCan();
  const me = useMe();
  const domains = useQuery(domainsQuery);
  const domain = domains.data?.find(({ is_verified }) => is_verified)?.domain;
  const send = useMutation({
    mutationFn: () =>
      api.emails.send({
        from: { email: `hello@${domain}`, name: 'Postrider' },
        to: [{ email: me.user.email }],
        subject: 'Your first message',
        html: HTML,
        text: 'It works.\n\nNext: look at the headers and the signature, then add a domain of your own.',
        tags: [{ name: 'kind', value: 'tour' }],
      }),
  });
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
      {!domain && domains.data ? (
        <p>
          Add a <Link to="/domains">domain</Link> first: in the sandbox any name verifies at once.
        </p>
      ) : null}
      <ErrorNote error={send.error} />
    </Empty>
  );
}

function Progress({ id }: { readonly id: string }) {
  const email = useQuery({ ...emailQuery(id), refetchInterval: 500 });
  return (
    <p role="status">
      <Status value={email.data?.status ?? 'queued'} />{' '}
      <Link to="/emails/$id" params={{ id }}>
        Follow it
      </Link>
    </p>
  );
}
