/** Lists all keyboard shortcuts. Opened with `?`. */
import { Dialog } from '../ui/dialog.tsx';
import { PAGES } from './pages.ts';
import { useMode } from './session.ts';

export function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  const mode = useMode();
  const pages = PAGES.filter((page) => mode === 'sandbox' || !page.sandboxOnly);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="facts shortcuts">
        {GENERAL.map(([keys, what]) => (
          <Shortcut key={keys} keys={keys} what={what} />
        ))}
        {pages.map(({ key, label }) =>
          key ? <Shortcut key={label} keys={`g ${key}`} what={label} /> : null,
        )}
      </dl>
    </Dialog>
  );
}

const GENERAL = [
  ['/', 'Search, pages and actions (Ctrl K, ⌘ K)'],
  ['j', 'Next row of a list'],
  ['k', 'Previous row'],
  ['Enter', 'Open the row'],
  ['x', 'Select the row'],
  ['?', 'This list'],
] as const;

function Shortcut({ keys, what }: { readonly keys: string; readonly what: string }) {
  return (
    <>
      <dt>
        <kbd>{keys}</kbd>
      </dt>
      <dd>{what}</dd>
    </>
  );
}
