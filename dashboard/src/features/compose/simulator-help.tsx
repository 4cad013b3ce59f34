/** In the sandbox: addresses that answer like servers one may meet. */
import { useMode } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';

const ROLES = [
  { name: 'delivered', does: 'takes it' },
  { name: 'bounced', does: 'the mailbox does not exist' },
  { name: 'full', does: 'the mailbox is full' },
  { name: 'blocked', does: 'refused by policy' },
  { name: 'deferred', does: 'later, every time' },
  { name: 'greylisted', does: 'later once, then takes it' },
  { name: 'busy', does: 'too busy, every time' },
  { name: 'slow', does: 'takes it after 5 seconds' },
  { name: 'late-bounce', does: 'takes it, bounces later' },
  { name: 'complained', does: 'takes it, reports spam' },
  { name: 'autoreply', does: 'takes it, is on holiday' },
  { name: 'opened', does: 'takes it, opens it if opens are tracked' },
  { name: 'clicked', does: 'takes it, opens it and follows its first link if that is tracked' },
] as const;

export function SimulatorHelp({ onChoose }: { readonly onChoose: (address: string) => void }) {
  if (useMode() !== 'sandbox') return null;
  return (
    <Card title="Simulator addresses">
      <div className="stack-small">
        <p className="quiet small">
          <Icon name="sandbox" size={14} /> In the sandbox these answer like servers you may meet:
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
