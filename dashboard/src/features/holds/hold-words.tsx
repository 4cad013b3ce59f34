import type { Hold } from '@postrider/sdk';
import { Badge, words } from '../../ui/badge.tsx';

export function HoldState({ hold }: { readonly hold: Hold }) {
  return (
    <Badge tone={hold.state === 'in_force' ? 'warn' : 'none'}>
      {hold.state === 'in_force' ? 'active' : words(hold.state)}
    </Badge>
  );
}

const SCOPES: Readonly<Record<Hold['scope'], string>> = {
  all: 'All mail of this installation',
  organization: 'All mail of the organization',
  domain: 'From',
  template: 'Template',
  tag: 'Tag',
  key: 'API key',
  provider: 'To',
  lane: 'Lane',
  recipient: 'To',
};

export function nameOf({ scope, value }: Hold): string {
  return value === null ? SCOPES[scope] : `${SCOPES[scope]} ${value}`;
}

export function doneOf({ released, discarded }: Hold): string {
  const done = [released > 0 ? `${released} released` : '', discarded > 0 ? `${discarded} discarded` : ''];
  return done.filter(Boolean).join(', ');
}
