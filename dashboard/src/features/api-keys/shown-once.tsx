import type { CreatedApiKey } from '@postrider/sdk';
import type { ReactNode } from 'react';
import { ShownOnceDialog, ShownUse } from '../../ui/shown-once-dialog.tsx';
import { curlExample } from '../emails/first-mail.tsx';

interface Props {
  readonly created: Pick<CreatedApiKey, 'key' | 'domain' | 'scope'>;
  readonly onClose: () => void;
  /** What else is to be said about it. */
  readonly children?: ReactNode;
}

export function ShownOnce({ created: { key, domain, scope }, onClose, children }: Props) {
  return (
    <ShownOnceDialog
      what="key"
      value={key}
      note="The key is shown only now. It cannot be recovered later."
      onClose={onClose}
    >
      {children}
      {scope === 'read' ? null : (
        <ShownUse
          title="Try it:"
          code={curlExample(key, `hello@${domain ?? 'sandbox.test'}`)}
          label="Copy the command"
        />
      )}
    </ShownOnceDialog>
  );
}
