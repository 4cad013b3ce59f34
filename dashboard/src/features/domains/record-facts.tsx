import type { ReactNode } from 'react';
import { Copyable } from '../../ui/copy.tsx';

interface Props {
  readonly type: string;
  readonly name: string;
  readonly value: string;
  /** Names the record in the labels of the buttons that copy its parts. */
  readonly record: string;
  /** Further facts. */
  readonly children?: ReactNode;
}

/** A DNS record to copy. */
export function RecordFacts({ type, name, value, record, children }: Props) {
  return (
    <dl className="facts">
      <dt>Type</dt>
      <dd>{type}</dd>
      <dt>Name</dt>
      <dd>
        <Copyable text={name} label={`Copy the name of the ${record}`} />
      </dd>
      <dt>Value</dt>
      <dd>
        <Copyable text={value} label={`Copy the value of the ${record}`} />
      </dd>
      {children}
    </dl>
  );
}
