import type { CreatedApiKey } from '@postrider/sdk';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { curlExample } from '../emails/first-mail.tsx';

interface Props {
  readonly created: Pick<CreatedApiKey, 'key' | 'domain' | 'scope'>;
  readonly onClose: () => void;
  /** What else is to be said about it. */
  readonly children?: ReactNode;
}

/** A new key, the only time that anybody sees it. */
export function ShownOnce({ created, onClose, children }: Props) {
  return (
    <Dialog title="Copy your key now" onClose={onClose}>
      <div className="stack">
        <div className="shown-once">
          <span>This is the only time it is shown. It cannot be recovered later.</span>
          <CodeBlock text={created.key} label="Copy the key" />
        </div>
        {children}
        {created.scope === 'read' ? null : (
          <div className="stack-small">
            <span>Try it:</span>
            <CodeBlock
              text={curlExample(created.key, `hello@${created.domain ?? 'sandbox.test'}`)}
              label="Copy the command"
            />
          </div>
        )}
        <div className="row row-end">
          <Button kind="primary" onClick={onClose}>
            I have copied it
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
