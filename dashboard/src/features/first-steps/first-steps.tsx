/** What to do first, ticked off by itself as it gets done. */
import type { Data } from '@postrider/sdk';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';
import { FirstMessageStep } from './first-message-step.tsx';
import { SendFromCode } from './send-from-code.tsx';

type First = Data<'GET /first-steps'>;
type Step = First['steps'][number];

export function FirstSteps({ first, onHide }: { readonly first: First; readonly onHide: () => void }) {
  const next = first.steps.find(({ done }) => !done)?.step;
  const [chosen, setChosen] = useState<Step['step'] | null>();
  // What was begun stays open when it is ticked off: what to do with it stands there.
  const [begun] = useState(next);
  const open = chosen === undefined ? begun : chosen;
  const done = first.steps.filter((one) => one.done).length;
  return (
    <div className="stack">
      <Card
        title={`First steps: ${done} of ${first.steps.length} done`}
        actions={
          <Button size="small" kind="ghost" onClick={onHide}>
            Hide this list
          </Button>
        }
        flush
      >
        <ol className="steps">
          {first.steps.map((step) => (
            <StepRow
              key={step.step}
              step={step}
              open={step.step === open}
              onToggle={() => setChosen(step.step === open ? null : step.step)}
            />
          ))}
        </ol>
      </Card>
      <Card title="Send from your code">
        <SendFromCode smtp={first.smtp} />
      </Card>
    </div>
  );
}

interface RowProps {
  readonly step: Step;
  readonly open: boolean;
  readonly onToggle: () => void;
}

function StepRow({ step, open, onToggle }: RowProps) {
  return (
    <li className={step.done ? 'done' : ''}>
      <button type="button" className="step-title" aria-expanded={open} onClick={onToggle}>
        <span className="step-mark">{step.done ? <Icon name="check" size={13} /> : null}</span>
        {TITLES[step.step]}
        <span className="visually-hidden">{step.done ? ' (done)' : ' (not done yet)'}</span>
      </button>
      {open ? <div className="step-body">{bodyOf(step)}</div> : null}
    </li>
  );
}

const TITLES: Readonly<Record<Step['step'], string>> = {
  first_email: 'Send a first message',
  api_key: 'Create an API key',
  domain: 'Add a domain of your own',
  dmarc: 'Publish a DMARC record',
  webhook: 'Get told what happens to your mail',
  live: 'Go live',
};

function bodyOf({ step, id }: Step): ReactNode {
  switch (step) {
    case 'first_email':
      return <FirstMessageStep />;
    case 'api_key':
      return (
        <p>
          Your programs send with a key.{' '}
          <Link to="/settings/api-keys" search={{ open: 'new' } as never}>
            Create one for each of them
          </Link>
          ; the one that the first start printed counts once it is used.
        </p>
      );
    case 'domain':
      return <DomainStep id={id} />;
    case 'dmarc':
      return (
        <p>
          Large providers want to know what to do with mail that only claims to be yours.{' '}
          {id === null ? (
            'It is one more record of your domain.'
          ) : (
            <Link to="/domains/$id" params={{ id }}>
              See the record to publish
            </Link>
          )}
        </p>
      );
    case 'webhook':
      return (
        <p>
          A webhook tells your program what was delivered, what bounced and who complained.{' '}
          <Link to="/webhooks">Add one</Link>
        </p>
      );
    case 'live':
      return (
        <p>
          In the sandbox no mail leaves this machine. When your domain and your programs are ready, whoever
          runs this server starts it with <code>POSTRIDER_MODE=live</code>. “Going live” in its documentation
          says what to check before.
        </p>
      );
  }
}

function DomainStep({ id }: { readonly id: string | null }) {
  if (id === null)
    return (
      <p>
        Mail from your own domain is signed by it.{' '}
        <Link to="/domains" search={{ open: 'add' } as never}>
          Add it
        </Link>
        , and you get two DNS records to publish.
      </p>
    );
  return (
    <p>
      It waits for its DNS records.{' '}
      <Link to="/domains/$id" params={{ id }}>
        See what is missing
      </Link>
    </p>
  );
}
