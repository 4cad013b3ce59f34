/** Short words about what was just done. They leave by themselves; what must not be missed is shown in place. */
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

type Tone = 'good' | 'bad';
type Say = (text: string, tone?: Tone) => void;

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: Tone;
}

const SHOWN_MS = 7000;
const Context = createContext<Say>(() => {});

export function useToast(): Say {
  return useContext(Context);
}

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const remove = useCallback((id: number) => setToasts((all) => all.filter((one) => one.id !== id)), []);
  const say = useCallback<Say>(
    (text, tone = 'good') => {
      const id = performance.now() + Math.random();
      setToasts((all) => [...all.slice(-2), { id, text, tone }]);
      setTimeout(() => remove(id), SHOWN_MS);
    },
    [remove],
  );
  return (
    <Context value={say}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, text, tone }) => (
          <div key={id} className={`toast ${tone}`}>
            <Icon name={tone === 'good' ? 'check' : 'alert'} />
            <span className="grow wrap">{text}</span>
            <IconButton icon="close" label="Dismiss" onClick={() => remove(id)} />
          </div>
        ))}
      </div>
    </Context>
  );
}
