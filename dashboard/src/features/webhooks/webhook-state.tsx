/** How a webhook is, in a few words. */
import type { Webhook } from '@postrider/sdk';
import { Badge } from '../../ui/badge.tsx';

type State = Pick<Webhook, 'enabled' | 'disabled_reason' | 'failing_since' | 'last_error'>;

const DISABLED: Readonly<Record<string, string>> = {
  manual: 'disabled',
  gone: 'disabled: the endpoint answered 410',
  failing: 'disabled: all calls failed for 5 days',
};

export function WebhookState({ webhook }: { readonly webhook: State }) {
  if (!webhook.enabled)
    return <Badge tone="bad">{DISABLED[webhook.disabled_reason ?? 'manual'] ?? 'disabled'}</Badge>;
  if (!webhook.failing_since) return <Badge tone="good">enabled</Badge>;
  return <Badge tone="warn">{webhook.last_error ? `retrying, ${webhook.last_error}` : 'retrying'}</Badge>;
}
