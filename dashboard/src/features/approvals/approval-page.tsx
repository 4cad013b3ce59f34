/** One email that waits for approval: everything about it that leaves, and the two ways to decide. */
import type { Approval } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog, DialogForm } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { useForm } from '../../ui/form.ts';
import { Card, Loading, PageHead } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { ReasonField } from '../../ui/reason-field.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { EmailPreview } from '../emails/email-preview.tsx';
import { contentQuery } from '../emails/queries.ts';
import { MessageCards } from './message-cards.tsx';
import { approvalQuery, useDecision } from './queries.ts';
import { answersWords, mailboxWords, recipientsWords, templateWords, trackingWords } from './words.ts';

const BACK = { to: '/approvals', label: 'Approvals' };

export function ApprovalPage() {
  const { id } = useParams({ from: '/app/approvals/$id' });
  const approval = useQuery(approvalQuery(id));
  if (!approval.data)
    return (
      <>
        <PageHead title="Approval" back={BACK} />
        <QueryState of={approval} />
      </>
    );
  const { data } = approval;
  return (
    <>
      <PageHead
        title={data.subject}
        back={BACK}
        lead={
          <>
            <Status value={data.state} /> <Standing approval={data} />
          </>
        }
        actions={data.state === 'waiting' ? <Decide approval={data} /> : null}
      />
      <div className="stack">
        <Facts approval={data} />
        <Content id={id} />
        <MessageCards id={id} />
      </div>
    </>
  );
}

function Standing({ approval }: { readonly approval: Approval }) {
  if (approval.state === 'waiting')
    return (
      <>
        If nobody decides, the email is rejected automatically on{' '}
        <Time at={approval.expires_at} style="exact" />.
      </>
    );
  return (
    <>
      {approval.decided_by_name ? `By ${approval.decided_by_name}, ` : null}
      <Time at={approval.decided_at} none="before anybody decided" />
      {approval.reason ? `: ${approval.reason}` : null}
    </>
  );
}

function Facts({ approval }: { readonly approval: Approval }) {
  const people = (list: Approval['to']) => list.map(mailboxWords).join(', ');
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['From', mailboxWords(approval.from)],
    ['To', people(approval.to)],
    ['Cc', people(approval.cc)],
    ['Bcc', people(approval.bcc)],
    ['Reply-To', answersWords(approval)],
    ['API key', approval.api_key_name ?? approval.api_key_id],
    ['Submitted', <Time key="at" at={approval.requested_at} style="exact" />],
    [
      'Scheduled for',
      approval.scheduled_at ? <Time key="for" at={approval.scheduled_at} style="exact" /> : '',
    ],
    ['Template', approval.template_id ? templateWords(approval) : ''],
    ['Tracking', trackingWords(approval)],
    ['Unsubscribe', approval.unsubscribe ? `With a link, from ${approval.unsubscribe_group}` : ''],
    ['Stream', `${approval.stream}, priority ${approval.priority}`],
    ['TLS', approval.require_tls ? 'Required on every hop (REQUIRETLS)' : ''],
    ['Expires after', approval.expires_in === null ? '' : `${approval.expires_in.toLocaleString()} seconds`],
    ['Tags', approval.tags.map(({ name, value }) => `${name}: ${value}`).join(', ')],
    ['Metadata', Object.keys(approval.metadata).length === 0 ? '' : JSON.stringify(approval.metadata)],
  ];
  return (
    <Card title="Recipients">
      <dl className="facts">
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name} className="fact-pair">
              <dt>{name}</dt>
              <dd className="wrap">{value}</dd>
            </div>
          ))}
      </dl>
      <p className="quiet small">
        <Link to="/emails/$id" params={{ id: approval.id }}>
          Everything about this email
        </Link>
      </p>
    </Card>
  );
}

/** Rendered, for a first look; every part follows as it is. */
function Content({ id }: { readonly id: string }) {
  const content = useQuery(contentQuery(id));
  if (content.isPending) return <Loading lines={4} />;
  if (content.isError) return <ErrorNote error={content.error} onRetry={content.refetch} />;
  if (content.data.html === null) return null;
  return (
    <Card title="Content" flush>
      <EmailPreview id={id} content={content.data} />
    </Card>
  );
}

function Decide({ approval }: { readonly approval: Approval }) {
  const can = useCan();
  const [deciding, setDeciding] = useState<'approve' | 'reject' | null>(null);
  if (!can.change) return null;
  const close = () => setDeciding(null);
  return (
    <>
      <Button kind="primary" icon="check" onClick={() => setDeciding('approve')}>
        Approve
      </Button>
      <Button kind="danger" onClick={() => setDeciding('reject')}>
        Reject
      </Button>
      {deciding === 'approve' ? <Approve approval={approval} onClose={close} /> : null}
      {deciding === 'reject' ? <Reject approval={approval} onClose={close} /> : null}
    </>
  );
}

interface DecisionProps {
  readonly approval: Approval;
  readonly onClose: () => void;
}

function Approve({ approval, onClose }: DecisionProps) {
  const leave = useLeave();
  const approve = useDecision<void>(
    () => api.approvals.approve(approval.id),
    () => leave('Approved. The email is on its way.'),
  );
  return (
    <ConfirmDialog
      title="Send this email?"
      action="Approve and send"
      onClose={onClose}
      onConfirm={() => approve.mutateAsync()}
    >
      <p>
        The email goes to <strong>{recipientsWords(approval)}</strong>, exactly as shown here.
      </p>
    </ConfirmDialog>
  );
}

function Reject({ approval, onClose }: DecisionProps) {
  const leave = useLeave();
  const { form, set } = useForm({ reason: '' });
  const reject = useDecision<void>(
    () => api.approvals.reject(approval.id, { reason: form.reason }),
    () => leave('Rejected. The email is never sent.'),
  );
  return (
    <Dialog title="Reject this email?" onClose={onClose}>
      <DialogForm does={reject} action="Reject the email" known={['reason']} onClose={onClose}>
        <p>The email is never sent and ends as failed. Its sender can submit another email.</p>
        <ReasonField
          hint="For the people who run the agent."
          value={form.reason}
          onChange={set('reason')}
          error={reject.error}
        />
      </DialogForm>
    </Dialog>
  );
}

/** Back to the others that wait. */
function useLeave() {
  const navigate = useNavigate();
  const say = useToast();
  return (words: string) => {
    say(words);
    void navigate({ to: '/approvals', search: {} });
  };
}
