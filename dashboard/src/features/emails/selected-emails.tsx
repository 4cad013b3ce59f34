/** What can be done to several emails at once: each action where the state of some of them allows it. */
import type { EmailItem } from '@postrider/sdk';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { type BulkOutcome, counted, type Named, type RunBulk, useBulk } from '../../ui/bulk.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { type Selection, SelectionBar } from '../../ui/selection.tsx';

const NOUNS = ['email', 'emails'] as const;

interface Action {
  readonly label: string;
  readonly isFor: (email: EmailItem) => boolean;
  readonly title: (emails: string) => string;
  readonly text: string;
  readonly done: string;
  readonly request: (ids: string[]) => Promise<BulkOutcome>;
}

const RETRIED: ReadonlySet<string> = new Set(['retrying', 'failed', 'partly_delivered']);

const ACTIONS: readonly Action[] = [
  {
    label: 'Retry now',
    isFor: ({ state }) => RETRIED.has(state),
    title: (emails) => `Retry ${emails} now?`,
    text: 'Deferred recipients become due now, and failed recipients are queued again. Bounced, cancelled and suppressed recipients are not tried again.',
    done: 'queued again',
    request: (ids) => api.emails.retryMany(ids),
  },
  {
    label: 'Send again',
    isFor: ({ status }) => status !== 'queued',
    title: (emails) => `Send ${emails} again?`,
    text: 'Each email is sent as a new email to all its recipients, also to those who got it. Emails to a suppressed recipient are not sent.',
    done: 'sent again',
    request: (ids) => api.emails.resendMany(ids),
  },
  {
    label: 'Cancel',
    isFor: ({ state }) => state === 'scheduled',
    title: (emails) => `Cancel ${emails}?`,
    text: 'The emails will not be sent, and this cannot be undone.',
    done: 'cancelled',
    request: (ids) => api.emails.cancelMany(ids),
  },
];

export const useEmailBulk = () => useBulk({ nouns: NOUNS, refresh: ['emails', 'stats', 'inbox'] });

interface Props {
  readonly rows: readonly EmailItem[];
  readonly selection: Selection;
  readonly run: RunBulk;
}

export function SelectedEmails({ rows, selection, run }: Props) {
  // With the emails that the question is about: the list goes on changing while the question is read.
  const [chosen, setChosen] = useState<(Action & { readonly emails: readonly EmailItem[] }) | null>(null);
  const selected = rows.filter(({ id }) => selection.has(id));
  return (
    <>
      <SelectionBar of={selection}>
        {ACTIONS.filter(({ isFor }) => selected.some(isFor)).map((action) => (
          <Button key={action.label} size="small" onClick={() => setChosen({ ...action, emails: selected })}>
            {action.label}
          </Button>
        ))}
      </SelectionBar>
      {chosen ? (
        <ConfirmDialog
          title={chosen.title(counted(chosen.emails.length, NOUNS))}
          action={chosen.label}
          onClose={() => setChosen(null)}
          onConfirm={async () => {
            await run(chosen.done, chosen.emails.map(named), chosen.request);
            selection.set(selection.all, false);
          }}
        >
          {chosen.text}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function named({ id, to, subject }: EmailItem): Named {
  return { id, name: `${to?.[0]?.email ?? id}: ${subject}` };
}
