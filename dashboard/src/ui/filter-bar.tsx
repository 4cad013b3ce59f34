import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';

interface Props {
  /** What people look by first. */
  readonly children: ReactNode;
  /** The others: there when they are asked for, or in use from the start. */
  readonly more: ReactNode;
  readonly usesMore: boolean;
  /** Null where nothing is filtered. */
  readonly onClear: (() => void) | null;
}

export function FilterBar({ children, more, usesMore, onClear }: Props) {
  const [isOpen, setOpen] = useState(usesMore);
  return (
    <search className="filters">
      {children}
      {isOpen ? more : null}
      <div className="filter-actions">
        <Button size="small" kind="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fewer filters' : 'More filters'}
        </Button>
        {onClear ? (
          <Button size="small" kind="ghost" onClick={onClear}>
            Clear the filters
          </Button>
        ) : null}
      </div>
    </search>
  );
}
