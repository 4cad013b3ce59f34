import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { CodeBlock } from './copy.tsx';
import { Dialog } from './dialog.tsx';

interface Props {
  /** What it is called: "key", "secret". */
  readonly what: string;
  readonly value: string;
  readonly note: string;
  readonly onClose: () => void;
  /** What to do with it. */
  readonly children: ReactNode;
}

/** A secret, the only time that anybody sees it. */
export function ShownOnceDialog({ what, value, note, onClose, children }: Props) {
  return (
    <Dialog title={`Copy the ${what} now`} onClose={onClose}>
      <div className="stack">
        <div className="shown-once">
          <span>{note}</span>
          <CodeBlock text={value} label={`Copy the ${what}`} />
        </div>
        {children}
        <div className="row row-end">
          <Button kind="primary" onClick={onClose}>
            I have copied it
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Code that uses it, to be copied, too. */
export function ShownUse({ title, code, label }: { title: string; code: string; label: string }) {
  return (
    <div className="stack-small">
      <span>{title}</span>
      <CodeBlock text={code} label={label} />
    </div>
  );
}
