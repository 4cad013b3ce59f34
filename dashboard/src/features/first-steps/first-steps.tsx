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
  webhook: 'Receive events about your mail',
  live: 'Go live',
};

function bodyOf({ step, id }: Step): ReactNode {
  switch (step) {
    case 'first_email':
      return <FirstMessageStep />;
    case 'api_key':
      return (
        <p>
          Your programs send with an API key.{' '}
          <Link to="/settings/api-keys" search={{ open: 'new' } as never}>
            Create a key for each program
          </Link>
          . The key that the first start printed counts once a program has used it.
        </p>
      );
    case 'domain':
      return <DomainStep id={id} />;
    case 'dmarc':
      return (
        <p>
          Large providers require a policy for mail that falsely claims to come from your domain.{' '}
          {id === null ? (
            'The policy is one more DNS record of your domain.'
          ) : (
            <Link to="/domains/$id" params={{ id }}>
              Show the record to publish
            </Link>
          )}
        </p>
      );
    case 'webhook':
      return (
        <p>
          A webhook informs your program about deliveries, bounces and complaints.{' '}
          <Link to="/webhooks">Add a webhook</Link>
        </p>
      );
    case 'live':
      return (
        <p>
          In the sandbox no mail leaves this machine. When your domain and your programs are ready, the
          operator starts this server with <code>POSTRIDER_MODE=live</code>. The page “Going live” of the
          documentation lists the checks before that.
        </p>
      );
  }
}

function DomainStep({ id }: { readonly id: string | null }) {
  if (id === null)
    return (
      <p>
        Mail from your own domain carries its signature.{' '}
        <Link to="/domains" search={{ open: 'add' } as never}>
          {' '}
          Add your domain{' '}
        </Link>
        , and publish the two DNS records that you get.
      </p>
    );
  return (
    <p>
      The domain waits for its DNS records.{' '}
      <Link to="/domains/$id" params={{ id }}>
        {' '}
        Show the missing records{' '}
      </Link>
    </p>
  );
}
