/** In the sandbox: addresses that answer like servers one may meet. */
import { useMode } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';

const ROLES = [
  { name: 'delivered', does: 'accepts the message' },
  { name: 'bounced', does: 'the mailbox does not exist' },
  { name: 'full', does: 'the mailbox is full' },
  { name: 'blocked', does: 'refuses the message by policy' },
  { name: 'deferred', does: 'defers every attempt' },
  { name: 'greylisted', does: 'defers the first attempt, then accepts' },
  { name: 'busy', does: 'answers 421 to every attempt and hangs up' },
  { name: 'slow', does: 'accepts after 5 seconds' },
  { name: 'late-bounce', does: 'accepts, then sends a bounce' },
  { name: 'complained', does: 'accepts, then reports spam' },
  { name: 'autoreply', does: 'accepts, then sends a holiday reply' },
  { name: 'opened', does: 'accepts, then opens the email if opens are tracked' },
  { name: 'clicked', does: 'accepts, then opens the email and follows its first link if they are tracked' },
] as const;

export function SimulatorHelp({ onChoose }: { readonly onChoose: (address: string) => void }) {
  if (useMode() !== 'sandbox') return null;
  return (
    <Card title="Simulator addresses">
      <div className="stack-small">
        <p className="quiet small">
          <Icon name="sandbox" size={14} /> In the sandbox these addresses answer like common receiving
          servers:
        </p>
        <div className="row">
          {ROLES.map(({ name, does }) => (
            <Button key={name} size="small" title={does} onClick={() => onChoose(`${name}@simulator.test`)}>
              {name}
            </Button>
          ))}
        </div>
      </div>
    </Card>
  );
}
