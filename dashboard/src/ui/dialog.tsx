/** The browser's own modal dialog: it traps focus, closes with Escape and gives focus back. */
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { ErrorNote } from './error-note.tsx';
import { onSubmit } from './form.ts';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly className?: string;
  readonly hideTitle?: boolean;
}

const FIELDS = ['input', 'select', 'textarea']
  .map((field) => `${field}:not([type=hidden], [readonly], :disabled)`)
  .join();

export function Dialog({ title, onClose, children, className = '', hideTitle = false }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const { noteTyping, leave } = useTyped(onClose);
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    if (dialog && !dialog.open) {
      dialog.showModal();
      // The browser would choose “Close”, and typing would be lost.
      dialog.querySelector<HTMLElement>(FIELDS)?.focus();
    }
    return () => {
      dialog?.close();
      // It is out of the page by now, so the browser does not give the focus back by itself.
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      className={`dialog ${className}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (hideTitle) onClose();
        else leave();
      }}
      onInput={noteTyping}
    >
      <div className={hideTitle ? 'visually-hidden' : 'dialog-head'}>
        <h2 id={id}>{title}</h2>
        {hideTitle ? null : <IconButton icon="close" label="Close" onClick={leave} />}
      </div>
      <div className={hideTitle ? '' : 'dialog-body'}>{children}</div>
    </dialog>
  );
}

/** Escape is easily pressed by accident, so closing with unsaved input asks for confirmation. “Cancel” does not. */
function useTyped(onClose: () => void) {
  const typed = useRef(false);
  const noteTyping = ({ target }: { readonly target: EventTarget }) => {
    if (target instanceof HTMLTextAreaElement) typed.current = true;
    if (target instanceof HTMLInputElement && !/^(checkbox|radio)$/.test(target.type)) typed.current = true;
  };
  const leave = () => {
    if (!typed.current || confirm('Discard what you typed?')) onClose();
  };
  return { noteTyping, leave };
}

interface ConfirmProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly action: string;
  /** Until what is asked besides is answered. */
  readonly disabled?: boolean;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({
  title,
  children,
  action,
  disabled = false,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      onClose();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">
        <div>{children}</div>
        <ErrorNote error={error} />
        <div className="row row-end">
          <Button onClick={onClose}>Go back</Button>
          <Button kind="danger-solid" busy={busy} disabled={disabled} onClick={confirm}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

interface FormProps {
  /** What sending the form does. */
  readonly does: { readonly mutate: () => void; readonly isPending: boolean; readonly error: unknown };
  readonly action: string;
  /** Fields that show their problems themselves. */
  readonly known: readonly string[];
  readonly disabled?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A form in a dialog: its fields, what went wrong, and the two ways out. */
export function DialogForm({ does, action, known, disabled = false, onClose, children }: FormProps) {
  return (
    <form className="stack" onSubmit={onSubmit(() => does.mutate())}>
      {children}
      <ErrorNote error={does.error} known={known} />
      <div className="row row-end">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" busy={does.isPending} disabled={disabled}>
          {action}
        </Button>
      </div>
    </form>
  );
}
