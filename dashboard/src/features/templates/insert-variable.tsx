import { useMemo } from 'react';
import { MenuButton } from '../../ui/menu-button.tsx';
import { parseData } from '../compose/draft.ts';
import { knownVariables, type Variable } from './insertion.ts';

interface Props {
  readonly used: readonly Variable[];
  readonly rules: readonly Variable[];
  readonly data: string;
  readonly onInsert: (variable: Variable) => void;
}

/** The variables of the schema, the template and its sample data. */
export function InsertVariable({ used, rules, data, onInsert }: Props) {
  const variables = useMemo(() => knownVariables(used, rules, dataOf(data)), [used, rules, data]);
  const entries = variables.map((variable) => ({
    key: variable.name,
    label: variable.name,
    hint: variable.type,
    onChoose: () => onInsert(variable),
  }));
  return (
    <MenuButton
      entries={entries}
      empty="The template has no variables yet. Add one to the sample data, or type {{name}}."
    >
      Insert variable
    </MenuButton>
  );
}

/** Null while the text is no JSON. */
function dataOf(text: string): unknown {
  try {
    return parseData(text);
  } catch {
    return null;
  }
}
